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

    /// What was mended of its times so far, in sentences.
    package var repairs: [String] { readRepairs?() ?? [] }

    private let readRepairs: (@Sendable () -> [String])?
    private let interruption: Interruption
    private let thread = Monitor<WorkerThread?>(nil)
    private let worker: ReaderLoop
    private let clock: MonotonicClock
    private let onStop: (@Sendable () -> Void)?
    /// To be told at each moment at which its frames are shown; nil where nobody asks.
    package let onMoment: (@Sendable (SourceMoment) -> Void)?

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
    package convenience init(
        _ reader: sending any FrameReader, clock: MonotonicClock = MonotonicClock(),
        onStop: (@Sendable () -> Void)? = nil, onError: @escaping @Sendable (SourceError) -> Void
    ) {
        self.init(
            supply: PooledFrames(reader, queued: Self.depth, clock), clock: clock, onStop: onStop, onError: onError)
    }

    /// Creates a source of frames that have memory of their own, which does not read yet.
    ///
    /// - Parameters:
    ///   - supply: Belongs to this source from now on.
    ///   - clock: The clock by which it waits and is waited for.
    ///   - onStop: Ends a wait that does not know interruptions; one that goes on for two seconds is left behind.
    ///   - onError: Called once, on the source's thread, when the supply fails.
    package init(
        supply: sending any FrameSupply, clock: MonotonicClock = MonotonicClock(),
        onStop: (@Sendable () -> Void)? = nil, onError: @escaping @Sendable (SourceError) -> Void
    ) {
        self.clock = clock
        self.onStop = onStop
        frames = BoundedQueue(capacity: Self.depth, clock: clock)
        description = supply.description
        onMoment = supply.onMoment
        readRepairs = supply.repairs
        interruption = supply.interruption
        worker = ReaderLoop(supply, frames, clock, onError: onError)
    }

    deinit { end() }

    /// Starts reading.
    ///
    /// Further calls, and calls after ``stop()``, do nothing.
    ///
    /// - Parameter time: The source's time from which on its frames are wanted; those before it may come all the same.
    package func start(at time: Duration = .zero) {
        thread.update { thread in
            guard thread == nil, !interruption.isRaised else { return }
            let worker = worker
            thread = WorkerThread(name: "pip-reader", clock: clock) { worker.run(from: time) }
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
    // `supply` is touched by the one thread that calls `run(from:)`, which happens once.
    private let supply: any FrameSupply
    private let frames: BoundedQueue<Frame>
    private let onError: @Sendable (SourceError) -> Void
    let isDone: Monitor<Bool>

    init(
        _ supply: any FrameSupply, _ frames: BoundedQueue<Frame>, _ clock: MonotonicClock,
        onError: @escaping @Sendable (SourceError) -> Void
    ) {
        self.supply = supply
        self.frames = frames
        self.onError = onError
        isDone = Monitor(false, clock: clock)
    }

    func run(from time: Duration) {
        let isStill = supply.description.isStill
        do throws(SourceError) {
            var index = time > .zero && !isStill ? try supply.skip(to: time) : 0
            while let frame = try supply.next(index: index) {
                guard frames.push(frame, policy: .block) == .accepted else { break }
                if isStill { return isDone.update { $0 = true } }
                index += 1
            }
        } catch {
            // Before the queue is closed: who sees its end knows why.
            if !supply.interruption.isRaised { onError(error) }
        }
        frames.close()
        supply.close()
        isDone.update { $0 = true }
    }
}
