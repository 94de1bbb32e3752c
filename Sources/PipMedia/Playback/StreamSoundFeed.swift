#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// The queue of a stream's sound between the receiver and a mixer.
///
/// Each block is stamped with the time at which it must be heard. Thread: any.
final class StreamSoundFeed: Sendable {
    private struct State {
        var isRequested = false
        var blocks: [AudioBlock] = []
    }

    private static let capacity = 100

    private let state = Monitor(State())

    /// Requests that the receiver decodes the stream's sound.
    ///
    /// Call this method before a session opens the stream.
    func request() { state.update { $0.isRequested = true } }

    /// True when a listener has requested the sound.
    var isRequested: Bool { state.read { $0.isRequested } }

    /// Discards all waiting blocks.
    func clear() { state.update { $0.blocks = [] } }

    /// Queues a block.
    ///
    /// A full queue discards its oldest block.
    func put(_ block: AudioBlock) {
        state.update { state in
            if state.blocks.count >= Self.capacity { state.blocks.removeFirst() }
            state.blocks.append(block)
        }
    }

    /// Waits for the next block; nil after the deadline.
    func next(until deadline: Timestamp) -> AudioBlock? {
        state.wait(until: deadline) { $0.blocks.isEmpty ? nil : $0.blocks.removeFirst() }
    }
}
#endif
