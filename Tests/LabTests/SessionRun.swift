import PipCapture
import PipCompose
import Testing

/// The statistics and events of a session that has ended.
struct SessionRun {
    let statistics: SessionStatistics
    let events: [SessionEvent]
    /// The time at which this value was made, just after the session had ended.
    let ended = MonotonicClock().now
    /// The time in which the host did not run the guest.
    let stalled: Duration

    /// The events of cameras, except those about first frames and changed controls.
    var cameraEvents: [(name: String, event: CameraEvent)] {
        events.compactMap {
            guard case .camera(let name, let event) = $0, event != .started else { return nil }
            if case .controlsChanged = event { return nil }
            return (name, event)
        }
    }

    /// The values in the events about changed controls.
    var controlChanges: [[String: Int]] {
        events.compactMap { if case .camera(_, .controlsChanged(let values)) = $0 { values } else { nil } }
    }

    /// The numbers of frames in a measured part of a session.
    struct Stretch {
        /// The number of frames that each source delivered.
        let delivered: [Double]
        /// The number of frames that the slowest output wrote.
        let written: Double
        /// The length of the part, less the time in which the host did not run the guest.
        let duration: Duration

        /// The number of frames that a frame rate yields in `duration`.
        func due(_ framesPerSecond: Double) -> Double { framesPerSecond * duration.inSeconds }
    }

    /// Runs a graph, and measures for `duration` after the first 30 output frames.
    ///
    /// While the session draws the first frames, the guest's single processor works with cold caches.
    static func steady(
        _ producer: some FrameProducer, for duration: Duration
    ) async throws -> (SessionRun, Stretch) {
        let session = try await Session(producer, options: .ungoverned)
        let clock = MonotonicClock()
        let stalls = HostStalls()
        let start = clock.now
        async let running: Void = session.run()
        while session.statistics.output.frames < 30 { try await Task.sleep(for: .milliseconds(10)) }
        let (before, begun) = (session.statistics, clock.now)
        try await Task.sleep(for: duration)
        let (after, ended) = (session.statistics, clock.now)
        session.stop()
        try await running
        let stretch = Stretch(
            delivered: zip(before.sources, after.sources).map { Double($1.delivered - $0.delivered) },
            written: zip(before.sinks, after.sinks).map { Double($1.written - $0.written) }.min() ?? 0,
            duration: begun.duration(to: ended) - stalls.total(from: begun, to: ended))
        return (await SessionRun(over: session, stalls, since: start), stretch)
    }

    /// Collects the statistics and events of a session that has ended.
    init(over session: Session, _ stalls: HostStalls, since start: Timestamp) async {
        self.init(
            of: session, events: await session.allEvents(), stalled: stalls.total(from: start, to: MonotonicClock().now)
        )
    }

    fileprivate init(of session: Session, events: [SessionEvent], stalled: Duration) {
        statistics = session.statistics
        self.events = events
        self.stalled = stalled
    }

    /// Runs a graph, and stops the session after a number of output frames.
    ///
    /// Calls `look` with the number of each frame, the frame and the session. With `toleratesSinks`, the failure of a
    /// sink is no error.
    static func watching(
        _ producer: some FrameProducer, _ tap: FrameTap, frames: Int, options: SessionOptions = .ungoverned,
        calls: any V4L2Calls = KernelCalls(), toleratesSinks: Bool = false,
        _ look: (Int, Frame, Session) async throws -> Void
    ) async throws -> SessionRun {
        let session = try await Session(
            producer, options: options, cameras: CameraDirectory(calls: calls))
        return try await watching(session, tap, frames: frames, toleratesSinks: toleratesSinks, look)
    }

    /// Runs a session, calls `look` at each output frame, and stops the session after a number of frames.
    static func watching(
        _ session: Session, _ tap: FrameTap, frames: Int, toleratesSinks: Bool = false,
        _ look: (Int, Frame, Session) async throws -> Void
    ) async throws -> SessionRun {
        let stalls = HostStalls()
        let start = MonotonicClock().now
        async let running: Void = session.run()
        var count = 0
        for await frame in tap.frames {
            if count < frames { try await look(count, frame, session) }
            count += 1
            if count == frames { session.stop() }
        }
        do {
            try await running
        } catch SessionError.sink where toleratesSinks {
            // The failure of the sink is also among the events.
        }
        return SessionRun(
            of: session, events: await session.allEvents(), stalled: stalls.total(from: start, to: MonotonicClock().now)
        )
    }

    /// Expects that every frame of a camera was used or counted as dropped.
    func expectAccounted(_ source: SessionStatistics.Source) {
        let counted = source.used + source.drops.total
        #expect(UInt64(counted) == source.lastSequence.map { $0 + 1 }, "\(source.name): \(source)")
    }
}

extension Session {
    /// The events of a session that has ended.
    fileprivate func allEvents() async -> [SessionEvent] {
        var all: [SessionEvent] = []
        for await event in events { all.append(event) }
        return all
    }
}

extension SessionOptions {
    /// Options without relief under pressure, because the guest's single processor is always busy.
    static var ungoverned: SessionOptions {
        var options = SessionOptions()
        options.pressure.policy = .off
        return options
    }
}
