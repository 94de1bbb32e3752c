#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// The sound of a stream on its way to a mixer, each block with the moment at which it is heard.
final class StreamSoundFeed: Sendable {
    private struct State {
        var isWanted = false
        var blocks: [AudioBlock] = []
    }

    /// Blocks that wait, at most: more than a second.
    private static let most = 100

    private let state = Monitor(State())

    /// Notes that somebody will listen.
    func want() { state.update { $0.isWanted = true } }

    /// True when somebody listens, or will.
    var isWanted: Bool { state.read { $0.isWanted } }

    /// Throws away what waits.
    func clear() { state.update { $0.blocks = [] } }

    /// Hands over what has come; the oldest goes where nobody takes it.
    func put(_ block: AudioBlock) {
        state.update { state in
            if state.blocks.count >= Self.most { state.blocks.removeFirst() }
            state.blocks.append(block)
        }
    }

    /// Waits for the next block.
    func next(until deadline: Timestamp) -> AudioBlock? {
        state.wait(until: deadline) { $0.blocks.isEmpty ? nil : $0.blocks.removeFirst() }
    }
}
#endif
