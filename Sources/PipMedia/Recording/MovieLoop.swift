#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// The loop of a recording's thread: puts packets in order, and writes them into one file after another.
///
/// A recording of clips keeps the packets in memory, and writes those around marked moments.
final class MovieLoop: @unchecked Sendable {
    struct State {
        var statistics: OutputStatistics
        var isDone = false
        /// The number of bytes of pictures in the current file.
        var bytes = 0
        /// The marked moments that the thread has not seen yet.
        var moments: [Moment] = []
    }

    /// The longest wait for packets before the thread checks the files.
    private static let interval = Duration.milliseconds(100)
    /// The longest wait for packets while the interleaver waits for sound.
    private static let soundInterval = Duration.milliseconds(10)
    /// The time without packets after which a clip ends at its time, and no longer with a picture.
    private static let patience = Duration.seconds(3)
    /// The largest number of moments that wait for the thread.
    private static let mostMoments = 256

    // Only the thread that calls `run()` uses the properties, except those that are locked or constant.
    private let plan: Plan
    private let feed: PacketFeed
    /// The queues of the tracks of sound and texts, in the order of the tracks.
    private let tracks: [TrackFeed]
    private var interleaver: Interleaver
    private let interruption: Interruption
    private let onEvent: @Sendable (SinkEvent) -> Void
    private let onError: @Sendable (SinkError) -> Void
    private let clock = MonotonicClock()
    private let files: MovieFiles
    /// The packets that clips may need; nil for a recording without clips.
    private var memory: ClipMemory?
    private var toldShortMemory = false
    private var lastPacket = Timestamp.zero
    let state: Monitor<State>

    init(
        _ plan: Plan, _ feed: PacketFeed, tracks: [TrackFeed] = [], until interruption: Interruption,
        onEvent: @escaping @Sendable (SinkEvent) -> Void, onError: @escaping @Sendable (SinkError) -> Void
    ) {
        self.plan = plan
        self.feed = feed
        self.tracks = tracks
        interleaver = Interleaver(tracks: tracks.count)
        self.interruption = interruption
        self.onEvent = onEvent
        self.onError = onError
        memory = plan.clips.map { ClipMemory($0) }
        state = Monitor(State(statistics: OutputStatistics(name: plan.names.pattern)))
        files = MovieFiles(plan, counting: state, until: interruption, onEvent: onEvent)
    }

    /// The time by which files must be complete.
    var deadline: Monitor<Timestamp> { files.deadline }

    func run() {
        var failure: SinkError?
        do throws(SinkError) {
            while !interleaver.isFinished {
                receive()
                while let item = interleaver.next(at: clock.now) { try take(item) }
                let lost = feed.takeLost()
                if lost > 0 { state.update { $0.statistics.drops[.late] += lost } }
                try takeMoments()
                try files.lookAfter()
            }
            try perform(memory?.finish() ?? [])
            failure = files.pauseError
        } catch {
            failure = error
        }
        failure = files.end() ?? failure
        // After a failure, the loop discards the remaining packets.
        if let failure {
            state.update { $0.statistics.error = failure }
            onError(failure)
        }
        while !feed.isFinished {
            if feed.next(until: clock.now.advanced(by: Self.interval)) != nil {
                state.update { $0.statistics.drops[.disabled] += 1 }
            }
        }
        state.update { $0.isDone = true }
    }

    /// Blocks until the loop has ended.
    ///
    /// At `limit`, this method interrupts the loop, and waits for another 200 ms.
    ///
    /// - Parameters:
    ///   - limit: The time at which to interrupt the loop.
    ///   - onInterruption: Called after the interruption, to stop other work.
    /// - Returns: True when the loop has ended: all files are complete, or a failure ended the recording.
    func waitUntilDone(by limit: Timestamp, onInterruption: () -> Void = {}) -> Bool {
        if state.wait(until: limit, { $0.isDone ? true : nil }) ?? false { return true }
        interruption.raise()
        onInterruption()
        return state.wait(until: clock.now.advanced(by: .milliseconds(200))) { $0.isDone ? true : nil } ?? false
    }

    /// True for a recording of clips.
    var recordsClips: Bool { plan.clips != nil }

    /// Requests a clip of a moment.
    ///
    /// Thread: any.
    ///
    /// - Returns: False for a recording without clips, and after the recording's end.
    func mark(_ moment: Moment) -> Bool {
        guard plan.clips != nil else { return false }
        return state.update { state in
            guard !state.isDone, state.statistics.error == nil || plan.onFull == .wait else { return false }
            // A moment beyond the limit lies within the clip of the moments that wait.
            if state.moments.count < Self.mostMoments { state.moments.append(moment) }
            return true
        }
    }

    // MARK: Packets

    /// Waits for packets, and hands those that have arrived to the interleaver.
    private func receive() {
        if feed.isFinished {
            interleaver.endPictures()
            if clock.now >= deadline.read({ $0 }) { for track in tracks.indices { interleaver.endTrack(track) } }
            if interleaver.isFinished { return }
        }
        let wait = clock.now.advanced(by: interleaver.isWaiting ? Self.soundInterval : Self.interval)
        if interleaver.hasRoom, !feed.isFinished {
            if let delivery = feed.next(until: wait) { interleaver.add(delivery) }
        } else {
            _ = interruption.wait(for: -1, events: 0, until: wait)
        }
        for (number, track) in tracks.enumerated() {
            while let packet = track.next() { interleaver.add(packet, track: number) }
            guard track.isFinished, !interleaver.isEnded(number) else { continue }
            interleaver.endTrack(number)
            if track.end == nil { files.endTrack(number) }
        }
    }

    private func take(_ item: Interleaver.Item) throws(SinkError) {
        guard memory != nil else { return try files.write(item, formats) }
        lastPacket = clock.now
        try perform(memory?.add(item) ?? [])
        guard memory?.isShort == true, !toldShortMemory, let clips = plan.clips else { return }
        toldShortMemory = true
        onEvent(
            .warning(
                sink: plan.names.pattern,
                "\(clips.memory / 1_000_000) MB of memory hold less than the \(clips.before) before a moment: clips begin "
                    + "later; allow more memory, or lower the bit rate"))
    }

    /// The formats of the tracks for the next file; nil for a track whose sound has failed or has not come.
    private var formats: [PacketFormat?] {
        interleaver.formats.enumerated().map { interleaver.isEnded($0) && tracks[$0].end == nil ? nil : $1 }
    }

    // MARK: Clips

    private func takeMoments() throws(SinkError) {
        guard memory != nil else { return }
        for moment in state.update({ state in
            defer { state.moments = [] }
            return state.moments
        }) { try perform(memory?.mark(moment) ?? []) }
        guard lastPacket.duration(to: clock.now) > Self.patience else { return }
        try perform(memory?.pass(plan.clock.now) ?? [])
    }

    private func perform(_ steps: [ClipMemory.Step]) throws(SinkError) {
        for step in steps {
            switch step {
            case .begin(let clip): files.begin(clip)
            case .write(let item): try files.write(item, formats)
            case .end(let moments): files.endClip(moments)
            }
        }
    }
}
#endif
