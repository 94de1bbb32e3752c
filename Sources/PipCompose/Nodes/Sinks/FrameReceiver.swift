/// Takes frames on the render thread.
protocol FrameReceiver: Sendable {
    /// Takes a frame, or drops and counts it; one that may not be dropped waits until a deadline for room.
    ///
    /// - Returns: False when there was none.
    func submit(_ frame: Frame, until deadline: Timestamp) -> Bool
    var counts: SinkCounts { get }
    func finish(by deadline: Timestamp) async
}

/// What became of the frames that a sink was given.
struct SinkCounts {
    var written: Int
    var drops: DropCounts
    var error: SinkError?
}

extension SinkRunner: FrameReceiver {
    func submit(_ frame: Frame, until deadline: Timestamp) -> Bool { submit(frame, until: .some(deadline)) }

    var counts: SinkCounts {
        let statistics = statistics
        return SinkCounts(written: statistics.written, drops: statistics.drops, error: statistics.error)
    }

    func finish(by deadline: Timestamp) async { _ = await (finish(by: deadline) as Bool) }
}
