internal import Synchronization
internal import SystemPackage

/// What a camera's owner and its thread share.
final class CameraLink: Sendable {
    private struct State {
        var state = CameraState.opening
        /// The open device; nil when it is closed.
        var device: V4L2Device?
    }

    let outlet: FrameOutlet
    let commands: CaptureCommands
    let report: @Sendable (CameraEvent) -> Void
    private let state: Mutex<State>

    init(
        device: V4L2Device, commands: CaptureCommands, report: @escaping @Sendable (CameraEvent) -> Void
    ) {
        outlet = FrameOutlet(onEvent: report)
        self.commands = commands
        self.report = report
        state = Mutex(State(device: device))
    }

    var cameraState: CameraState { state.withLock { $0.state } }

    /// The device for a call of one's own; using it keeps it open.
    var device: V4L2Device? { state.withLock { $0.device } }

    func publish(_ new: CameraState) {
        // Closed outside the lock.
        let closed = state.withLock { state -> V4L2Device? in
            state.state = new
            guard new == .lost || new == .closed else { return nil }
            defer { state.device = nil }
            return state.device
        }
        _ = closed
    }
}
