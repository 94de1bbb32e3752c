/// Takes the frames that a still is chosen from.
struct StillSink: Sink {
    let frames = FrameStream(.newest(1))
    let format: Still.Format
    let frameSize: PixelSize?

    var label: String { "still" }
    var destination: SinkDestination? { .object(frames.identity) }

    /// Not listed in the statistics, because the output exists for one still only.
    var opening: SinkOpening {
        switch format {
        case .jpeg: .stream(frames, name: label, SinkRequest(format: .i420, colorimetry: .jpeg), isListed: false)
        case .png: .stream(frames, name: label, SinkRequest(format: .rgba), isListed: false)
        }
    }

    /// Waits for the first suitable frame.
    ///
    /// - Parameters:
    ///   - deadline: The end of the wait.
    ///   - clock: The session's clock.
    ///   - suits: Returns true for a suitable frame.
    /// - Returns: The frame; nil when no suitable frame came in time, the session has ended, or the task was cancelled.
    func frame(
        by deadline: Timestamp, _ clock: MonotonicClock, where suits: @escaping @Sendable (Frame) -> Bool
    ) async -> Frame? {
        await withTaskGroup { group in
            group.addTask { await first(suits) }
            group.addTask {
                try? await clock.sleep(until: deadline)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func first(_ suits: (Frame) -> Bool) async -> Frame? {
        for await frame in frames where suits(frame) { return frame }
        return nil
    }
}
