internal import PipFrames
internal import Synchronization

/// Measures the brightness of a slot's frames for an automatic torch.
///
/// Thread: any. The camera's threads measure frames; the slot's thread carries out the decisions.
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

    /// - Parameter onDecision: Called when ``takeDecision()`` has a decision. The function must not block.
    init(onDecision: @escaping @Sendable () -> Void) { self.onDecision = onDecision }

    /// Measures a frame, unless the last measurement was less than an interval ago.
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

    /// Returns a new decision, once: true to switch the light on, false to switch it off, nil for no change.
    func takeDecision() -> Bool? { state.withLock { $0.pending.take() } }

    /// True while the light is on because of a decision; the slot's thread sets the property.
    var isLit: Bool {
        get { state.withLock { $0.isLit } }
        set { state.withLock { $0.isLit = newValue } }
    }

    /// Restarts the measurement with the decision to switch the light off.
    ///
    /// Call this function when the camera was opened or switched off, or its light was used for another purpose.
    func begin() {
        state.withLock { state in
            let isLit = state.isLit
            state = State()
            (state.isLit, state.pending) = (isLit, false)
        }
        onDecision()
    }
}
