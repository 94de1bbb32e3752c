/// Settings that a camera is given once, with the other changes of a transaction.
///
/// Unlike a wish, which is compared with the one before, they are set whatever was asked for before: what the camera is
/// to decide once is decided anew.
package struct CameraRequest: Equatable, Sendable {
    /// Counts a camera's requests.
    private var number = 0
    package private(set) var adjustments = CameraAdjustments()
    private(set) var controls: [ControlValue] = []

    /// No request.
    package init() {}

    /// True when nothing is asked for.
    var isEmpty: Bool { adjustments.isEmpty && controls.isEmpty }

    /// Asks for settings by meaning, beside those that the same transaction has asked for.
    ///
    /// - Parameters:
    ///   - adjustments: The settings.
    ///   - before: The request of the transaction before.
    package mutating func add(_ adjustments: CameraAdjustments, after before: CameraRequest) {
        begin(after: before)
        self.adjustments.merge(adjustments)
    }

    /// Asks for settings by the driver's names, beside those that the same transaction has asked for.
    ///
    /// - Parameters:
    ///   - settings: Names and values.
    ///   - before: The request of the transaction before.
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

    /// The settings that are new since another request; none when a change is taken back.
    func news(since before: CameraRequest) -> CameraRequest {
        self == before || number < before.number ? CameraRequest() : self
    }
}
