public import PipFrames
internal import Synchronization

/// An asynchronous sequence of frames for an app to iterate over: `for await frame in stream { … }`.
///
/// Use a stream to consume frames in an app's task. Frames wait in a buffer of fixed size; when the buffer is full,
/// frames are dropped and counted. A stream has one consumer; a second consumer gets no frames. The stream ends for
/// good when the consuming task is cancelled, its loop exits, or the session ends. A frame that the app keeps occupies
/// memory of the session.
public struct FrameStream: AsyncSequence, Sendable {
    /// The choice of frames to keep while the consumer is busy.
    public enum Buffering: Sendable, Equatable {
        /// Keeps the newest frames, at most the given number.
        case newest(Int)
        /// Keeps the oldest frames, at most the given number.
        case oldest(Int)

        /// The size of the buffer in frames, at least one.
        fileprivate var capacity: Int {
            switch self {
            case .newest(let count), .oldest(let count): Swift.max(count, 1)
            }
        }
    }

    private let channel: FrameChannel

    package init(_ buffering: Buffering = .newest(1)) { channel = FrameChannel(buffering) }

    /// The identity of the stream, which all of its copies share.
    package var identity: ObjectIdentifier { ObjectIdentifier(channel) }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(consumer: Consumer(channel)) }

    /// Offers a frame to the consumer, without blocking.
    ///
    /// - Returns: False when the stream has ended.
    @discardableResult
    package func offer(_ frame: Frame) -> Bool { channel.offer(frame) }

    /// Ends the stream after its buffered frames.
    package func finish() { channel.finish() }

    /// True when the stream accepts no more frames.
    package var isFinished: Bool { channel.isFinished }

    /// The numbers of frames that were dropped because the buffer was full.
    public var drops: DropCounts { channel.drops }

    /// The iterator that `for await` makes for the consumer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let consumer: Consumer

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Frame? {
            consumer.isFirst ? await consumer.channel.next(isolation: actor) : nil
        }

        public mutating func next() async -> Frame? { await next(isolation: #isolation) }
    }

    /// A consumer of the stream; the release of the first consumer ends the stream.
    ///
    /// A second consumer gets no frames, and its release does not end the stream.
    fileprivate final class Consumer: Sendable {
        let channel: FrameChannel
        let isFirst: Bool

        init(_ channel: FrameChannel) {
            self.channel = channel
            isFirst = channel.claim()
        }

        deinit {
            if isFirst { channel.cancel() }
        }
    }
}

/// The buffer and the state of a stream, used by its producer and its consumer.
private final class FrameChannel: Sendable {
    private struct State {
        var frames: [Frame?]
        var head = 0
        var count = 0
        var isFinished = false
        var isClaimed = false
        var waiter: CheckedContinuation<Frame?, Never>?
        var drops = DropCounts()

        mutating func removeFirst() -> Frame? {
            guard count > 0 else { return nil }
            let frame = frames[head]
            frames[head] = nil
            head = (head + 1) % frames.count
            count -= 1
            return frame
        }
    }

    private let dropsOldest: Bool
    private let state: Mutex<State>

    init(_ buffering: FrameStream.Buffering) {
        if case .newest = buffering { dropsOldest = true } else { dropsOldest = false }
        state = Mutex(State(frames: Array(repeating: nil, count: buffering.capacity)))
    }

    var isFinished: Bool { state.withLock { $0.isFinished } }

    var drops: DropCounts { state.withLock { $0.drops } }

    /// Claims the stream for a consumer; returns true for the first consumer only.
    func claim() -> Bool {
        state.withLock { state in
            defer { state.isClaimed = true }
            return !state.isClaimed
        }
    }

    func offer(_ frame: Frame) -> Bool {
        let (isTaken, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Frame?, Never>?) in
            if state.isFinished { return (false, nil) }
            if let waiter = state.waiter {
                state.waiter = nil
                return (true, waiter)
            }
            if state.count == state.frames.count {
                state.drops[.late] += 1
                guard dropsOldest else { return (true, nil) }
                _ = state.removeFirst()
            }
            state.frames[(state.head + state.count) % state.frames.count] = frame
            state.count += 1
            return (true, nil)
        }
        waiter?.resume(returning: frame)
        return isTaken
    }

    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: nil)
    }

    /// Ends the stream and releases its buffered frames.
    func cancel() {
        state.withLock { state in
            while state.removeFirst() != nil {}
        }
        finish()
    }

    func next(isolation actor: isolated (any Actor)?) async -> Frame? {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { continuation in
                    let immediate = state.withLock { state -> Frame?? in
                        if let frame = state.removeFirst() { return .some(frame) }
                        // A copy of the iterator must not replace the continuation of the iterator that waits.
                        if state.isFinished || state.waiter != nil { return .some(nil) }
                        state.waiter = continuation
                        return nil
                    }
                    if let immediate { continuation.resume(returning: immediate) }
                }
            }, onCancel: { cancel() }, isolation: actor)
    }
}
