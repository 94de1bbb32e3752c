internal import Glibc
package import PipConcurrency
package import PipFrames

/// Runs a reader on a thread of its own and queues its frames: a few ahead, never more, and none is dropped.
package final class ReaderSource: Sendable {
    /// Frames that are read ahead.
    package static let depth = 3

    package let description: SourceDescription
    /// The frames, in order.
    ///
    /// Closed at the end of the source, after an error and after ``stop()``; what was read before can still be
    /// taken. A still's queue is never closed before ``stop()``: its one frame is shown for ever.
    package let frames: BoundedQueue<Frame>

    private let interruption: Interruption
    private let thread = Monitor<WorkerThread?>(nil)
    private let worker: ReaderLoop
    private let clock: MonotonicClock
    private let onStop: (@Sendable () -> Void)?

    /// How long a reader of an app's own may take to end; then it is left behind with its thread.
    private static let patience = Duration.seconds(2)

    /// Creates a source that does not read yet.
    ///
    /// - Parameters:
    ///   - reader: Belongs to this source from now on.
    ///   - clock: The clock by which it waits and is waited for.
    ///   - onStop: Ends a read of a reader that does not know interruptions; one that goes on for two seconds is left
    ///     behind.
    ///   - onError: Called once, on the source's thread, when the reader fails.
    package init(
        _ reader: sending any FrameReader, clock: MonotonicClock = MonotonicClock(),
        onStop: (@Sendable () -> Void)? = nil, onError: @escaping @Sendable (SourceError) -> Void
    ) {
        self.clock = clock
        self.onStop = onStop
        frames = BoundedQueue(capacity: Self.depth, clock: clock)
        description = reader.description
        interruption = reader.interruption
        worker = ReaderLoop(reader, frames, clock, onError: onError)
    }

    deinit { end() }

    /// Starts reading.
    ///
    /// Further calls, and calls after ``stop()``, do nothing.
    package func start() {
        thread.update { thread in
            guard thread == nil, !interruption.isRaised else { return }
            let worker = worker
            thread = WorkerThread(name: "pip-reader", clock: clock) { worker.run() }
        }
    }

    /// Stops reading and blocks until the thread has ended: at once, even when it waits for a pipe or for room in the
    /// queue.
    package func stop() {
        end()
        guard let running = thread.read({ $0 }) else { return }
        guard let onStop else {
            running.join()
            return
        }
        onStop()
        _ = worker.isDone.wait(until: clock.now.advanced(by: Self.patience)) { $0 ? true : nil }
    }

    /// True when the file has ended and all frames were taken.
    package var isFinished: Bool { frames.isFinished }

    private func end() {
        interruption.raise()
        frames.close()
    }
}

/// The body of the reading thread.
private final class ReaderLoop: @unchecked Sendable {
    // `reader` is touched by the one thread that calls `run()`, which happens once.
    private let reader: any FrameReader
    private let interruption: Interruption
    private let frames: BoundedQueue<Frame>
    private let clock: MonotonicClock
    private let onError: @Sendable (SourceError) -> Void
    let isDone: Monitor<Bool>

    /// Buffers beyond those that are queued: one that is being filled, and what the consumer keeps.
    private static let spareBuffers = 9

    init(
        _ reader: any FrameReader, _ frames: BoundedQueue<Frame>, _ clock: MonotonicClock,
        onError: @escaping @Sendable (SourceError) -> Void
    ) {
        self.clock = clock
        self.reader = reader
        self.frames = frames
        self.onError = onError
        isDone = Monitor(false, clock: clock)
        interruption = reader.interruption
    }

    func run() {
        let description = reader.description
        var pool = FramePool(description.layout, limit: frames.capacity + Self.spareBuffers)
        var info = description.info(ofFrame: 0)
        var index = 0
        do throws(SourceError) {
            while let buffer = nextBuffer(of: &pool), try reader.read(into: buffer, index: index) {
                info.timestamp = Timestamp(nanoseconds: description.rate.offset(ofFrame: index).nanoseconds)
                info.sequence = UInt64(index)
                guard frames.push(Frame(info: info, buffer: buffer), policy: .block) == .accepted else { break }
                if description.isStill { return isDone.update { $0 = true } }
                index += 1
            }
        } catch {
            // Before the queue is closed: who sees its end knows why.
            if !interruption.isRaised { onError(error) }
        }
        frames.close()
        isDone.update { $0 = true }
    }

    /// A free buffer, waiting while the consumer keeps them all; nil when interrupted.
    private func nextBuffer(of pool: inout FramePool) -> FrameBuffer? {
        while !interruption.isRaised {
            if let buffer = pool.next() { return buffer }
            // Frames come back by being let go of, which nobody announces.
            let soon = clock.now.advanced(by: .milliseconds(1))
            _ = interruption.wait(for: -1, events: 0, until: soon, by: clock)
        }
        return nil
    }
}
