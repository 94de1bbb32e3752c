internal import PipFrames
internal import Synchronization

/// Measures a slot's frames for an automatic torch.
///
/// Thread: frames arrive on the camera's threads; the slot's thread takes the decisions.
final class TorchWatch: Sendable {
    /// The interval between measurements.
    private static let interval = Duration.milliseconds(200)

    private struct State {
        var torchSwitch = TorchSwitch()
        var next: Timestamp?
        var pending: Bool?
        var isLit = false
    }

    private let state = Mutex(State())
    private let onDecision: @Sendable () -> Void

    /// - Parameter onDecision: Announces a decision. The function must not block.
    init(onDecision: @escaping @Sendable () -> Void) { self.onDecision = onDecision }

    /// Measures a frame, at most once an interval.
    func look(at frame: Frame, now: Timestamp) {
        let hasDecision = state.withLock { state in
            if let next = state.next, now < next { return false }
            state.next = now.advanced(by: Self.interval)
            guard let isOn = state.torchSwitch.take(luma: frame.brightness, at: now) else { return false }
            state.pending = isOn
            return true
        }
        if hasDecision { onDecision() }
    }

    /// The wanted state of the light; nil for no change.
    ///
    /// A decision is returned once.
    func takeDecision() -> Bool? { state.withLock { $0.pending.take() } }

    /// True while the light is on by a decision of this watch.
    var isLit: Bool {
        get { state.withLock { $0.isLit } }
        set { state.withLock { $0.isLit = newValue } }
    }

    /// Restarts with the light off, because the camera was opened, switched off, or lit for another purpose.
    func begin() {
        state.withLock { state in
            let isLit = state.isLit
            state = State()
            (state.isLit, state.pending) = (isLit, false)
        }
        onDecision()
    }
}
