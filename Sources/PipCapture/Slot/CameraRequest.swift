/// Settings that a camera gets once, together with the other changes of a transaction.
///
/// A wish is compared with the wish before; a request is always carried out. So a repeated request for a single
/// decision makes the camera decide again.
package struct CameraRequest: Equatable, Sendable {
    /// The number of the request, counted for each camera.
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
    ///   - before: The request of the previous transaction.
    package mutating func add(_ adjustments: CameraAdjustments, after before: CameraRequest) {
        begin(after: before)
        self.adjustments.merge(adjustments)
    }

    /// Adds controls by name to those that the same transaction has requested.
    ///
    /// - Parameters:
    ///   - settings: Names and values.
    ///   - before: The request of the previous transaction.
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

    /// The settings that are new since another request; empty when a change is taken back.
    func news(since before: CameraRequest) -> CameraRequest {
        self == before || number < before.number ? CameraRequest() : self
    }
}
