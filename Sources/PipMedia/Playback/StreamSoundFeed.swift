#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// The queue of a stream's sound for a mixer.
///
/// Each block has the moment at which it must be heard.
final class StreamSoundFeed: Sendable {
    private struct State {
        var isRequested = false
        var blocks: [AudioBlock] = []
    }

    /// The most blocks that wait, more than a second of sound.
    private static let capacity = 100

    private let state = Monitor(State())

    /// Requests the stream's sound for a future listener.
    func request() { state.update { $0.isRequested = true } }

    /// True when a listener has requested the sound.
    var isRequested: Bool { state.read { $0.isRequested } }

    /// Discards the waiting blocks.
    func clear() { state.update { $0.blocks = [] } }

    /// Queues a block; discards the oldest one when the queue is full.
    func put(_ block: AudioBlock) {
        state.update { state in
            if state.blocks.count >= Self.capacity { state.blocks.removeFirst() }
            state.blocks.append(block)
        }
    }

    /// Waits for the next block.
    func next(until deadline: Timestamp) -> AudioBlock? {
        state.wait(until: deadline) { $0.blocks.isEmpty ? nil : $0.blocks.removeFirst() }
    }
}
#endif
