internal import Glibc
package import PipConcurrency
package import PipFrames

/// Runs a reader on a thread of its own, and queues a few frames ahead.
///
/// Frames are never dropped.
package final class ReaderSource: Sendable {
    /// The number of frames to read ahead.
    package static let depth = 3

    package let description: SourceDescription
    /// The frames, in order.
    ///
    /// The queue is closed at the end of the source, after an error, and after ``stop()``; waiting frames can still be
    /// taken. A still's queue stays open until ``stop()``, because its one frame is shown for ever.
    package let frames: BoundedQueue<Frame>

    /// The repairs of timestamps so far, in sentences.
    package var repairs: [String] { readRepairs?() ?? [] }

    private let readRepairs: (@Sendable () -> [String])?
    private let interruption: Interruption
    private let thread = Monitor<WorkerThread?>(nil)
    private let worker: ReaderLoop
    private let clock: MonotonicClock
    private let onStop: (@Sendable () -> Void)?
    /// Receives each moment at which frames are shown; nil where the source needs none.
    package let onMoment: (@Sendable (SourceMoment) -> Void)?

    /// The longest time for an app's reader to end.
    ///
    /// After it, the reader is abandoned with its thread.
    private static let patience = Duration.seconds(2)

    /// Creates a source that does not read yet.
    ///
    /// - Parameters:
    ///   - reader: The reader, which belongs to this source from now on.
    ///   - clock: The clock of the source's waits.
    ///   - onStop: A function that ends a read of a reader that ignores interruptions. A read that continues for two
    ///     seconds is abandoned.
    ///   - onError: Receives the reader's failure once, on the source's thread.
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
    ///   - supply: The supplier, which belongs to this source from now on.
    ///   - clock: The clock of the source's waits.
    ///   - onStop: A function that ends a wait that ignores interruptions. A wait that continues for two seconds is
    ///     abandoned.
    ///   - onError: Receives the supplier's failure once, on the source's thread.
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
    /// - Parameter time: The source's time of the first wanted frame. Earlier frames may come all the same.
    package func start(at time: Duration = .zero) {
        thread.update { thread in
            guard thread == nil, !interruption.isRaised else { return }
            let worker = worker
            thread = WorkerThread(name: "pip-reader", clock: clock) { worker.run(from: time) }
        }
    }

    /// Stops reading.
    ///
    /// Blocks until the thread has ended, which is soon even while it waits for a pipe or the queue.
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
    // Only the thread that calls `run(from:)` uses `supply`, and calls it once.
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
            // The error precedes the closing of the queue, so that its reader knows the reason.
            if !supply.interruption.isRaised { onError(error) }
        }
        frames.close()
        supply.close()
        isDone.update { $0 = true }
    }
}
