package import PipConcurrency
package import PipFrames

/// Runs a reader on a new thread, and queues a few frames ahead of time.
///
/// No frame is dropped: the reader waits while the queue is full.
package final class ReaderSource: Sendable {
    /// The number of frames to read ahead.
    package static let depth = 3

    package let description: SourceDescription
    /// The queue of read frames, in order.
    ///
    /// The queue is closed at the end of the source, after an error, and after ``stop()``; waiting frames can still be
    /// taken. The queue of a still picture stays open until ``stop()``, because its only frame is shown without end.
    package let frames: BoundedQueue<Frame>

    /// The repairs of timestamps so far, as sentences.
    package var repairs: [String] { readRepairs?() ?? [] }

    private let readRepairs: (@Sendable () -> [String])?
    private let interruption: Interruption
    private let thread = Monitor<WorkerThread?>(nil)
    private let worker: ReaderLoop
    /// The clock by which the source waits.
    package let clock: MonotonicClock
    private let onStop: (@Sendable () -> Void)?
    /// Receives the source's time at each composed picture; nil for a source that needs no times.
    package let onMoment: (@Sendable (SourceMoment) -> Void)?

    /// The longest wait for the reader of a source with an `onStop` to end.
    ///
    /// After this time, the reader is abandoned with its thread.
    private static let patience = Duration.seconds(2)

    /// Creates a source; reading begins with ``start(at:)``.
    ///
    /// - Parameters:
    ///   - reader: The reader, which belongs to this source from now on.
    ///   - clock: The clock by which the source waits.
    ///   - onStop: Called by ``stop()`` to end a read that ignores interruptions. A read that continues for two seconds
    ///     is then abandoned; nil waits without a limit.
    ///   - onError: Receives the reader's failure, at most once, on the source's thread; not called after ``stop()``.
    package convenience init(
        _ reader: sending any FrameReader, clock: MonotonicClock = MonotonicClock(),
        onStop: (@Sendable () -> Void)? = nil, onError: @escaping @Sendable (SourceError) -> Void
    ) {
        self.init(
            supply: PooledFrames(reader, queued: Self.depth, clock), clock: clock, onStop: onStop, onError: onError)
    }

    /// Creates a source from a supplier of frames; reading begins with ``start(at:)``.
    ///
    /// - Parameters:
    ///   - supply: The supplier, which belongs to this source from now on.
    ///   - clock: The clock by which the source waits.
    ///   - onStop: Called by ``stop()`` to end a wait that ignores interruptions. A wait that continues for two seconds
    ///     is then abandoned; nil waits without a limit.
    ///   - onError: Receives the supplier's failure, at most once, on the source's thread; not called after ``stop()``.
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
    /// Further calls, and calls after ``stop()``, have no effect.
    ///
    /// - Parameter time: The source's time of the first requested frame. The source may still deliver earlier frames.
    package func start(at time: Duration = .zero) {
        thread.update { thread in
            guard thread == nil, !interruption.isRaised else { return }
            let worker = worker
            thread = WorkerThread(name: "pip-reader", clock: clock) { worker.run(from: time) }
        }
    }

    /// Stops reading.
    ///
    /// Blocks until the thread has ended, but for at most two seconds if the source has an `onStop`. Interrupts
    /// waits for a pipe and for space in the queue.
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

    /// True when the source has ended and all frames were taken.
    package var isFinished: Bool { frames.isFinished }

    private func end() {
        interruption.raise()
        frames.close()
    }
}

/// The loop of the reading thread.
private final class ReaderLoop: @unchecked Sendable {
    // Sendable, because only the thread that calls `run(from:)` uses this property.
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
            // The error is reported before the queue is closed, so that the consumer knows the reason.
            if !supply.interruption.isRaised { onError(error) }
        }
        frames.close()
        supply.close()
        isDone.update { $0 = true }
    }
}
