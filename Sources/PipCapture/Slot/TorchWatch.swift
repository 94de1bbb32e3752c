internal import PipFrames
internal import Synchronization

/// Looks at a slot's frames for a torch that is lit in the dark.
///
/// Frames come on the camera's threads; what is to be done is taken by the slot's.
final class TorchWatch: Sendable {
    /// From one look to the next.
    private static let interval = Duration.milliseconds(200)

    private struct State {
        var decision = TorchSwitch()
        var next: Timestamp?
        var news: Bool?
        var isLit = false
    }

    private let state = Mutex(State())
    private let onNews: @Sendable () -> Void

    /// - Parameter onNews: Called when there is something to be done; it must not block.
    init(onNews: @escaping @Sendable () -> Void) { self.onNews = onNews }

    /// Looks at a frame, now and then.
    func look(at frame: Frame, now: Timestamp) {
        let hasNews = state.withLock { state in
            if let next = state.next, now < next { return false }
            state.next = now.advanced(by: Self.interval)
            guard let isOn = state.decision.take(luma: frame.brightness, at: now) else { return false }
            state.news = isOn
            return true
        }
        if hasNews { onNews() }
    }

    /// What the light is to be now; nil for no change.
    func takeNews() -> Bool? { state.withLock { $0.news.take() } }

    /// True while the light is on by what was decided here.
    var isLit: Bool {
        get { state.withLock { $0.isLit } }
        set { state.withLock { $0.isLit = newValue } }
    }

    /// Decides anew, with the light off: the camera was opened, is switched off, or was lit for something else.
    func begin() {
        state.withLock { state in
            let isLit = state.isLit
            state = State()
            (state.isLit, state.news) = (isLit, false)
        }
        onNews()
    }
}
