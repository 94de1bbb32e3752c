internal import PipFrames
internal import Synchronization
internal import SystemPackage

/// The state shared by a camera's owner and its thread.
final class CameraLink: Sendable {
    private struct State {
        var state = CameraState.opening
        /// The open device; nil once the camera is closed or lost.
        var device: V4L2Device?
        /// The time at which the camera's thread entered a driver call that a dead device may never answer.
        ///
        /// Nil outside of such calls.
        var inDriverSince: Timestamp?
    }

    let commands: CaptureCommands
    let report: @Sendable (CameraEvent) -> Void
    private let slot: SlotConnection
    private let state: Mutex<State>

    init(
        device: V4L2Device, commands: CaptureCommands, slot: SlotConnection,
        report: @escaping @Sendable (CameraEvent) -> Void
    ) {
        self.commands = commands
        self.slot = slot
        self.report = report
        state = Mutex(State(device: device))
    }

    var outlet: FrameOutlet { slot.outlet }
    /// The number by which the outlet recognizes this camera's frames.
    var ticket: Int { slot.ticket }

    var cameraState: CameraState { state.withLock { $0.state } }

    /// The open device, for calls from other threads; nil once the camera is closed or lost.
    ///
    /// A reference keeps the device open.
    var device: V4L2Device? { state.withLock { $0.device } }

    /// The time at which the camera's thread entered a driver call that a dead device may never answer.
    ///
    /// Nil outside of such calls.
    var inDriverSince: Timestamp? { state.withLock { $0.inDriverSince } }

    /// Records that the camera's thread is about to stop or close the device.
    func enterDriver(at now: Timestamp) {
        state.withLock { $0.inDriverSince = $0.inDriverSince ?? now }
        slot.onRisk()
    }

    /// Records that the device has answered.
    func leaveDriver() { state.withLock { $0.inDriverSince = nil } }

    func publish(_ new: CameraState) {
        // The last reference, whose release closes the device, must be released outside of the lock.
        let closed = state.withLock { state -> V4L2Device? in
            state.state = new
            guard new == .lost || new == .closed else { return nil }
            defer { state.device = nil }
            return state.device
        }
        _ = closed
    }
}
