/// Takes frames on the render thread.
protocol FrameReceiver: Sendable {
    /// Takes a frame, or drops and counts it; one that may not be dropped waits until a deadline for room.
    ///
    /// `repeats`: Moments before it that were left out: a file of a fixed rate shows it for them, too.
    ///
    /// - Returns: False when there was none.
    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool
    var counts: SinkCounts { get }
    func finish(by deadline: Timestamp) async
}

/// What became of the frames that a sink was given.
struct SinkCounts {
    var written: Int
    var repeated = 0
    var drops: DropCounts
    var error: SinkError?
}

extension SinkRunner: FrameReceiver {
    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        submit(frame, repeats: repeats, until: .some(deadline))
    }

    var counts: SinkCounts {
        let statistics = statistics
        return SinkCounts(
            written: statistics.written, repeated: statistics.repeated, drops: statistics.drops, error: statistics.error
        )
    }

    func finish(by deadline: Timestamp) async { _ = await (finish(by: deadline) as Bool) }
}
