internal import Glibc
internal import PipConcurrency
internal import PipFrames

/// A frame in the queue, with the number of frames that were omitted before it.
struct Submission: Sendable {
    let frame: Frame
    let repeats: Int
}

/// The settings of a sink's thread.
struct SinkBehaviour: Sendable {
    /// True to wait, rather than drop frames, while the sink is paused.
    let waits: Bool
    /// The recovery from a full or failing disk; nil if a failure ends the sink.
    let recovery: SinkRecovery?
    /// The interval at which written data is flushed to the disk; nil for no flushing at intervals.
    let syncInterval: Duration?
    /// The clock by which the thread waits.
    let clock: MonotonicClock
    /// Receives pauses and resumptions, on the sink's thread.
    let onEvent: @Sendable (SinkEvent) -> Void
    /// Receives the final failure once, on the sink's thread.
    let onError: @Sendable (SinkError) -> Void
}

/// The loop of a sink's thread, which writes frames from a queue, and ends or recovers when the disk fails.
final class SinkLoop: @unchecked Sendable {
    struct State {
        var statistics: OutputStatistics
        var isDone = false
    }

    /// The state of a sink that waits for its disk.
    private struct Pause {
        var error: SinkError
        var nextAttempt: Timestamp
        var leftOut = 0
    }

    // Thread: the thread that runs `run()` only, except constants and `state`, which is locked.
    private var writer: any FrameWriter
    private let interruption: Interruption
    private let queue: BoundedQueue<Submission>
    private let info: FrameInfo
    private let rate: FrameRate
    private let behaviour: SinkBehaviour
    private var pause: Pause?
    private var nextSync: Timestamp?
    let state: Monitor<State>

    init(
        _ writer: any FrameWriter, queue: BoundedQueue<Submission>, info: FrameInfo, rate: FrameRate,
        behaviour: SinkBehaviour
    ) {
        state = Monitor(State(statistics: OutputStatistics(name: writer.name)), clock: behaviour.clock)
        self.writer = writer
        interruption = writer.interruption
        self.queue = queue
        self.info = info
        self.rate = rate
        self.behaviour = behaviour
    }

    func count(_ reason: DropReason) { state.update { $0.statistics.drops[reason] += 1 } }

    func waitUntilDone(_ deadline: Timestamp) -> Bool {
        state.wait(until: deadline) { $0.isDone ? true : nil } ?? false
    }

    func run() {
        blockBrokenPipeSignal()
        var failure: SinkError?
        writer.keepName()
        do throws(SinkError) {
            while let next = queue.pop() { try take(next) }
            failure = pause?.error
        } catch {
            failure = error
            queue.close()
            // The failed frame counts as dropped, as do the frames behind it.
            repeat { count(.disabled) } while queue.pop() != nil
        }
        do throws(SinkError) {
            try writer.finish()
        } catch {
            failure = failure ?? error
        }
        if let failure {
            state.update { $0.statistics.error = failure }
            behaviour.onError(failure)
        }
        state.update { $0.isDone = true }
    }

    /// Writes a frame; while the sink is paused, drops the frame, or waits if the sink must not drop frames.
    ///
    /// - Throws: ``SinkError`` when the failure ends the sink.
    private func take(_ submission: Submission) throws(SinkError) {
        let frame = submission.frame
        if pause == nil {
            do throws(SinkError) {
                try sync()
                for _ in 0..<(writer.hasFixedRate ? submission.repeats : 0) {
                    try writer.write(frame)
                    state.update { $0.statistics.repeated += 1 }
                }
                try writer.write(frame)
                state.update { $0.statistics.written += 1 }
                return
            } catch {
                try wait(after: error)
            }
        }
        while try !resume(with: frame) {
            guard behaviour.waits else {
                pause?.leftOut += 1
                return count(.disabled)
            }
        }
    }

    /// Begins a pause, which lasts until the disk recovers.
    ///
    /// - Throws: `error` when the disk is not its cause, or the sink has no recovery.
    private func wait(after error: SinkError) throws(SinkError) {
        guard let recovery = behaviour.recovery, error.isOfDisk else { throw error }
        // A failure to close is ignored, because the first error is reported already.
        if recovery.makeWriter != nil { try? writer.finish() }
        pause = Pause(error: error, nextAttempt: behaviour.clock.now.advanced(by: recovery.interval(after: error)))
        state.update { $0.statistics.error = error }
        behaviour.onEvent(.paused(error))
    }

    /// Ends the pause, if the next attempt is due and the disk takes the frame.
    ///
    /// A sink that must not drop frames waits until the attempt is due.
    ///
    /// - Returns: True when the pause has ended.
    /// - Throws: The error that caused the pause, when the wait is interrupted.
    private func resume(with frame: Frame) throws(SinkError) -> Bool {
        guard let recovery = behaviour.recovery, let waited = pause else { return true }
        if behaviour.waits {
            let wake = interruption.wait(for: -1, events: 0, until: waited.nextAttempt, by: behaviour.clock)
            if wake == .interrupted { throw waited.error }
        }
        let now = behaviour.clock.now
        guard now >= waited.nextAttempt else { return false }
        pause?.nextAttempt = now.advanced(by: recovery.interval(after: waited.error))
        guard recovery.mayResume(after: waited.error) else { return false }
        guard let path = begin(with: frame, recovery) else { return false }
        pause = nil
        nextSync = nil
        state.update { state in
            state.statistics.error = nil
            state.statistics.written += 1
        }
        behaviour.onEvent(.resumed(sink: recovery.path, path: path, leftOut: waited.leftOut))
        return true
    }

    /// Writes the frame to another file and flushes the file to the disk, or retries the failed writer if the recovery
    /// has no factory of writers.
    ///
    /// - Returns: The path of the new file, or of the recovery for the failed writer. Nil when the attempt fails; then
    ///   no new file is left.
    private func begin(with frame: Frame, _ recovery: SinkRecovery) -> String? {
        guard let makeWriter = recovery.makeWriter else {
            do throws(SinkError) { try writer.write(frame) } catch { return nil }
            return recovery.path
        }
        let path = recovery.nextPath()
        var next: (any FrameWriter)?
        do throws(SinkError) {
            let writer = try makeWriter(path, interruption)
            next = writer
            try writer.open(info, rate: rate)
            try writer.write(frame)
            try writer.sync(isThorough: true)
            writer.keepName()
            self.writer = writer
            return path
        } catch {
            try? next?.finish()
            _ = unsafe unlink(path)
            return nil
        }
    }

    private func sync() throws(SinkError) {
        guard let syncInterval = behaviour.syncInterval else { return }
        let now = behaviour.clock.now
        guard let due = nextSync else { return nextSync = now.advanced(by: syncInterval) }
        guard now >= due else { return }
        nextSync = now.advanced(by: syncInterval)
        try writer.sync(isThorough: false)
    }
}
