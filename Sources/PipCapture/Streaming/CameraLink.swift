internal import PipFrames
internal import Synchronization
internal import SystemPackage

/// The state shared by a camera's owner and its thread.
final class CameraLink: Sendable {
    private struct State {
        var state = CameraState.opening
        /// The open device; nil when it is closed.
        var device: V4L2Device?
        /// Since when the thread has been in a call that a dead device may never answer; nil while it is in none.
        var inDriverSince: Timestamp?
    }

    let outlet: FrameOutlet
    /// By which the outlet knows this camera from others before and after it.
    let ticket: Int
    let commands: CaptureCommands
    let report: @Sendable (CameraEvent) -> Void
    /// Told that the thread is about to make a call that a dead device may never answer.
    private let onRisk: @Sendable () -> Void
    private let state: Mutex<State>

    init(
        device: V4L2Device, commands: CaptureCommands, outlet: FrameOutlet, ticket: Int,
        onRisk: @escaping @Sendable () -> Void, report: @escaping @Sendable (CameraEvent) -> Void
    ) {
        self.outlet = outlet
        self.ticket = ticket
        self.commands = commands
        self.report = report
        self.onRisk = onRisk
        state = Mutex(State(device: device))
    }

    var cameraState: CameraState { state.withLock { $0.state } }

    /// The device for a call of one's own; using it keeps it open.
    var device: V4L2Device? { state.withLock { $0.device } }

    /// Since when the thread has been in a call that a dead device may never answer; nil while it is in none.
    var inDriverSince: Timestamp? { state.withLock { $0.inDriverSince } }

    /// The thread is about to stop or to close the device.
    func enterDriver(at now: Timestamp) {
        state.withLock { $0.inDriverSince = $0.inDriverSince ?? now }
        onRisk()
    }

    /// The device has answered.
    func leaveDriver() { state.withLock { $0.inDriverSince = nil } }

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
