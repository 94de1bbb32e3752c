package import PipConcurrency
package import PipFrames

/// Runs a writer on a new thread behind a bounded queue, so that a slow disk or pipe does not block the producer of
/// frames, unless the policy is ``PipConcurrency/QueuePolicy/block``.
///
/// The thread blocks `SIGPIPE` for itself only: a closed pipe is an error of its sink, and the app's signal handling is
/// unchanged.
package final class SinkRunner: Sendable {
    package let name: String
    private let queue: BoundedQueue<Submission>
    private let policy: QueuePolicy
    private let interruption: Interruption
    private let loop: SinkLoop
    private let clock: MonotonicClock

    /// The interval at which a live sink flushes written data to the disk.
    package static let syncInterval = Duration.seconds(1)

    /// The part of a deadline that is reserved for closing the file after a cancelled write.
    private static let closingTime = Duration.milliseconds(100)

    /// Opens the sink on the calling thread, and starts the sink's thread.
    ///
    /// - Parameters:
    ///   - writer: The writer, which belongs to this runner from now on.
    ///   - info: The properties that all frames share.
    ///   - rate: The output's frame rate, for formats that store it.
    ///   - capacity: The most frames to queue.
    ///   - policy: The behaviour when the queue is full.
    ///   - recovery: The recovery from a full or failing disk; nil if a failure ends the sink.
    ///   - syncInterval: The interval at which written data is flushed to the disk; nil for no flushing at intervals.
    ///   - clock: The clock by which the sink waits.
    ///   - onEvent: Receives pauses and resumptions of the sink, on the sink's thread.
    ///   - onError: Receives the final failure once, on the sink's thread. Later frames are dropped.
    /// - Throws: ``SinkError`` when the sink cannot be opened.
    package init(
        _ writer: sending any FrameWriter, info: FrameInfo, rate: FrameRate, capacity: Int = 4,
        policy: QueuePolicy = .dropNewest, recovery: SinkRecovery? = nil, syncInterval: Duration? = nil,
        clock: MonotonicClock = MonotonicClock(), onEvent: @escaping @Sendable (SinkEvent) -> Void = { _ in },
        onError: @escaping @Sendable (SinkError) -> Void
    ) throws(SinkError) {
        name = writer.name
        self.policy = policy
        interruption = writer.interruption
        self.clock = clock
        queue = BoundedQueue(capacity: max(capacity, 1), clock: clock)
        try writer.open(info, rate: rate)
        let loop = SinkLoop(
            writer, queue: queue, info: info, rate: rate,
            behaviour: SinkBehaviour(
                waits: policy == .block, recovery: recovery, syncInterval: syncInterval, clock: clock,
                onEvent: onEvent, onError: onError))
        self.loop = loop
        _ = WorkerThread(name: "pip-sink", clock: clock) { loop.run() }
    }

    // Without `finish(by:)`, the thread still writes the queued frames and closes the file.
    deinit { queue.close() }

    /// Queues a frame.
    ///
    /// Blocks only with the policy ``PipConcurrency/QueuePolicy/block``, until the queue has room.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - repeats: The number of frames omitted before this frame. A file of fixed rate gets this frame once more for
    ///     each omitted frame.
    ///   - deadline: The end of the wait for room in the queue; nil for no limit.
    /// - Returns: False when the deadline passed before the queue had room; then the frame was not queued. True for a
    ///   queued frame, and for a frame that was dropped and counted.
    @discardableResult
    package func submit(_ frame: Frame, repeats: Int = 0, until deadline: Timestamp? = nil) -> Bool {
        switch queue.push(Submission(frame: frame, repeats: repeats), policy: policy, until: deadline) {
        case .accepted: break
        case .dropped: loop.count(.late)
        case .closed: loop.count(.disabled)
        case .timedOut: return false
        }
        return true
    }

    package var statistics: OutputStatistics { loop.state.read { $0.statistics } }

    /// Blocks until the sink's statistics satisfy a condition.
    ///
    /// - Parameters:
    ///   - deadline: The end of the wait.
    ///   - condition: The condition, which is evaluated at once and after every change.
    /// - Returns: True when the condition became true before the deadline.
    package func wait(until deadline: Timestamp, for condition: (OutputStatistics) -> Bool) -> Bool {
        loop.state.wait(until: deadline) { condition($0.statistics) ? true : nil } ?? false
    }

    /// Writes the queued frames and closes the sink, which refuses further frames.
    ///
    /// Blocks until the sink is closed, or the deadline has passed.
    ///
    /// A write that is still blocked 100 ms before the deadline is cancelled: a file then ends with its last whole
    /// frame. After a cancellation, the sink has 100 ms to close, even if the deadline has passed. A write that
    /// cannot be cancelled, because a disk does not answer, is abandoned.
    ///
    /// - Returns: True when the sink is closed.
    @discardableResult
    package func finish(by deadline: Timestamp) -> Bool {
        queue.close()
        let patience = deadline.advanced(by: .zero - Self.closingTime)
        if loop.waitUntilDone(patience) { return true }
        interruption.raise()
        return loop.waitUntilDone(max(deadline, clock.now.advanced(by: Self.closingTime)))
    }

    /// Finishes the sink like ``finish(by:)``, but suspends rather than blocks.
    @discardableResult
    package func finish(by deadline: Timestamp) async -> Bool {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "pip-sink-end", clock: clock) { [self] in
                let isDone: Bool = finish(by: deadline)
                continuation.resume(returning: isDone)
            }
        }
    }
}
