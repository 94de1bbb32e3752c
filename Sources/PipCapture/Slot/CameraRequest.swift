/// Settings that a transaction applies once.
///
/// A slot applies only the differences between a ``CameraWish`` and the previous one, but applies every request. So a
/// repeated request for a one-time decision, such as a single autofocus, makes the camera decide again.
package struct CameraRequest: Equatable, Sendable {
    /// The number of the request, which grows with each transaction that has requests for the camera.
    private var number = 0
    package private(set) var adjustments = CameraAdjustments()
    private(set) var controls: [ControlValue] = []

    /// An empty request.
    package init() {}

    /// True when the request contains no settings.
    var isEmpty: Bool { adjustments.isEmpty && controls.isEmpty }

    /// Adds adjustments to those that the same transaction has requested.
    ///
    /// - Parameters:
    ///   - adjustments: The adjustments to add.
    ///   - before: The request as the previous transaction left it.
    package mutating func add(_ adjustments: CameraAdjustments, after before: CameraRequest) {
        begin(after: before)
        self.adjustments.merge(adjustments)
    }

    /// Adds control settings to those that the same transaction has requested.
    ///
    /// - Parameters:
    ///   - settings: Names and values.
    ///   - before: The request as the previous transaction left it.
    package mutating func add(_ settings: [(name: String, value: Int)], after before: CameraRequest) {
        begin(after: before)
        controls.removeAll { old in settings.contains { $0.name == old.name } }
        controls += settings.map(ControlValue.init)
    }

    private mutating func begin(after before: CameraRequest) {
        guard self == before else { return }
        self = CameraRequest()
        number = before.number + 1
    }

    /// The request itself if it is newer than `before`; otherwise an empty request.
    func news(since before: CameraRequest) -> CameraRequest {
        self == before || number < before.number ? CameraRequest() : self
    }
}
