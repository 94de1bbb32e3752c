internal import Glibc
package import PipConcurrency
package import PipFrames

/// What a sink has done so far.
package struct SinkStatistics: Sendable, Equatable {
    /// Frames that were written.
    package var written = 0
    /// Frames that were submitted but not written: `late` where the queue was full, `disabled` after the sink had failed.
    package var drops = DropCounts()
    package var error: SinkError?
}

/// Runs a writer on a thread of its own, behind a bounded queue, so that no disk or pipe holds up whoever makes the frames.
///
/// The thread blocks `SIGPIPE`, for itself only: a pipe whose reader is gone is an error of that sink, and the process's handling of
/// signals stays as the app has set it.
package final class SinkRunner: Sendable {
    package let name: String
    private let queue: BoundedQueue<Frame>
    private let policy: QueuePolicy
    private let interruption: Interruption
    private let loop: SinkLoop

    /// Time that is kept of a deadline for a write that was interrupted to close its file.
    private static let closingTime = Duration.milliseconds(100)

    /// Opens the sink and starts its thread.
    ///
    /// - Parameters:
    ///   - writer: Belongs to this runner from now on.
    ///   - info: What all frames have in common.
    ///   - rate: Frames a second, for files that say it.
    ///   - capacity: Frames that wait to be written, at most.
    ///   - policy: What happens to a frame for which there is no room.
    ///   - onError: Called once, on the sink's thread, when writing fails; further frames are dropped.
    /// - Throws: ``SinkError`` when the sink cannot be opened.
    package init(
        _ writer: sending any FrameWriter, info: FrameInfo, rate: FrameRate, capacity: Int = 4,
        policy: QueuePolicy = .dropNewest, onError: @escaping @Sendable (SinkError) -> Void
    ) throws(SinkError) {
        name = writer.name
        self.policy = policy
        interruption = writer.interruption
        queue = BoundedQueue(capacity: max(capacity, 1))
        try writer.open(info, rate: rate)
        let loop = SinkLoop(writer, queue, onError: onError)
        self.loop = loop
        _ = WorkerThread(name: "pip-sink") { loop.run() }
    }

    // Without `finish(by:)`, what is queued is still written, and the file closed.
    deinit { queue.close() }

    /// Queues a frame.
    ///
    /// Blocks only with the policy ``PipConcurrency/QueuePolicy/block``, until there is room.
    ///
    /// `deadline`: How long to block; nil blocks as long as it takes.
    ///
    /// - Returns: False when there was no room until then; the frame was not taken.
    @discardableResult
    package func submit(_ frame: Frame, until deadline: Timestamp? = nil) -> Bool {
        switch queue.push(frame, policy: policy, until: deadline) {
        case .accepted: break
        case .dropped: loop.count(.late)
        case .closed: loop.count(.disabled)
        case .timedOut: return false
        }
        return true
    }

    package var statistics: SinkStatistics { loop.state.read { $0.statistics } }

    /// Lets no more frames in, has the queued ones written, and closes the file; blocks until that is done.
    ///
    /// A write that still waits shortly before the deadline is given up: a file then ends with its last whole frame. One that cannot be
    /// given up, on a disk that does not answer, is left to itself.
    ///
    /// - Returns: Whether the sink is closed.
    @discardableResult
    package func finish(by deadline: Timestamp) -> Bool {
        queue.close()
        let patience = deadline.advanced(by: .zero - Self.closingTime)
        if loop.waitUntilDone(patience) { return true }
        interruption.raise()
        return loop.waitUntilDone(max(deadline, MonotonicClock().now.advanced(by: Self.closingTime)))
    }

    /// As ``finish(by:)``, but suspends rather than blocks.
    @discardableResult
    package func finish(by deadline: Timestamp) async -> Bool {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "pip-sink-end") { [self] in
                let isDone: Bool = finish(by: deadline)
                continuation.resume(returning: isDone)
            }
        }
    }
}

/// What the thread does.
private final class SinkLoop: @unchecked Sendable {
    struct State {
        var statistics = SinkStatistics()
        var isDone = false
    }

    // `writer` is touched by the one thread that calls `run()`, which happens once.
    private let writer: any FrameWriter
    private let queue: BoundedQueue<Frame>
    private let onError: @Sendable (SinkError) -> Void
    let state = Monitor(State())

    init(_ writer: any FrameWriter, _ queue: BoundedQueue<Frame>, onError: @escaping @Sendable (SinkError) -> Void) {
        self.writer = writer
        self.queue = queue
        self.onError = onError
    }

    func count(_ reason: DropReason) { state.update { $0.statistics.drops[reason] += 1 } }

    func waitUntilDone(_ deadline: Timestamp) -> Bool {
        state.wait(until: deadline) { $0.isDone ? true : nil } ?? false
    }

    func run() {
        blockBrokenPipeSignal()
        var failure: SinkError?
        do throws(SinkError) {
            while let frame = queue.pop() {
                try writer.write(frame)
                state.update { $0.statistics.written += 1 }
            }
        } catch {
            failure = error
            queue.close()
            // The frame that failed, and those behind it.
            repeat { count(.disabled) } while queue.pop() != nil
        }
        do throws(SinkError) {
            try writer.finish()
        } catch {
            failure = failure ?? error
        }
        if let failure {
            state.update { $0.statistics.error = failure }
            onError(failure)
        }
        state.update { $0.isDone = true }
    }

    private func blockBrokenPipeSignal() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
