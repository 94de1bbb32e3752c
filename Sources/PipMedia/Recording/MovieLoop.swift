#if Media
internal import Glibc
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import SystemPackage

/// The loop of a recording's thread: writes packets into one file after another.
final class MovieLoop: @unchecked Sendable {
    struct State {
        var statistics: OutputStatistics
        var isDone = false
        /// The number of bytes of pictures in the current file.
        var bytes = 0
    }

    /// The longest wait for packets before the thread checks the files.
    private static let interval = Duration.milliseconds(100)
    /// The longest wait for packets while the interleaver waits for sound.
    private static let soundInterval = Duration.milliseconds(10)

    // Only the thread that calls `run()` uses the properties, except those that are locked or constant.
    private let plan: Plan
    private let feed: PacketFeed
    /// The queues of the sound tracks, in the order of the tracks.
    private let sounds: [SoundFeed]
    private var interleaver: Interleaver
    private let interruption: Interruption
    private let onEvent: @Sendable (SinkEvent) -> Void
    private let onError: @Sendable (SinkError) -> Void
    private let clock = MonotonicClock()
    private var segment: MovieSegment?
    private var count = 0
    /// True when the next key frame begins a file.
    private var isPartDue = false
    private var nextSync = Timestamp.zero
    private var pause: (error: SinkError, nextAttempt: Timestamp, leftOut: Int)?
    private var endings: [(segment: MovieSegment, thread: WorkerThread)] = []
    private let endingFailure = Monitor<SinkError?>(nil)
    private let playlist: Monitor<HLSPlaylist>?
    /// The time by which files must be complete.
    let deadline = Monitor(Timestamp.distantFuture)
    let state: Monitor<State>

    init(
        _ plan: Plan, _ feed: PacketFeed, sounds: [SoundFeed] = [], until interruption: Interruption,
        onEvent: @escaping @Sendable (SinkEvent) -> Void, onError: @escaping @Sendable (SinkError) -> Void
    ) {
        self.plan = plan
        self.feed = feed
        self.sounds = sounds
        interleaver = Interleaver(tracks: sounds.count)
        self.interruption = interruption
        playlist = plan.playlist.map { Monitor($0) }
        self.onEvent = onEvent
        self.onError = onError
        state = Monitor(State(statistics: OutputStatistics(name: plan.names.pattern)))
    }

    func run() {
        var failure: SinkError?
        do throws(SinkError) {
            while !interleaver.isFinished {
                receive()
                while let item = interleaver.next(at: clock.now) { try take(item) }
                let lost = feed.takeLost()
                if lost > 0 { state.update { $0.statistics.drops[.late] += lost } }
                try lookAfterFiles()
            }
            failure = pause?.error
        } catch {
            failure = error
        }
        failure = end() ?? failure
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

    // MARK: Packets

    /// Waits for packets, and hands those that have arrived to the interleaver.
    private func receive() {
        if feed.isFinished {
            interleaver.endPictures()
            if clock.now >= deadline.read({ $0 }) { for track in sounds.indices { interleaver.endTrack(track) } }
            if interleaver.isFinished { return }
        }
        let wait = clock.now.advanced(by: interleaver.isWaiting ? Self.soundInterval : Self.interval)
        if interleaver.hasRoom, !feed.isFinished {
            if let delivery = feed.next(until: wait) { interleaver.add(delivery) }
        } else {
            _ = interruption.wait(for: -1, events: 0, until: wait)
        }
        for (track, sound) in sounds.enumerated() {
            while let packet = sound.next() { interleaver.add(packet, track: track) }
            guard sound.isFinished, !interleaver.isEnded(track) else { continue }
            interleaver.endTrack(track)
            if sound.end == nil { segment?.endSound(track: track) }
        }
    }

    private func take(_ item: Interleaver.Item) throws(SinkError) {
        switch item {
        case .picture(let delivery): try take(delivery)
        case .sound(let packet, let track): if pause == nil { segment?.write(packet, track: track) }
        }
    }

    private func take(_ delivery: PacketFeed.Delivery) throws(SinkError) {
        let packet = delivery.packet
        if delivery.beginsPart { isPartDue = true }
        if pause != nil, !resume(at: packet) { return leaveOut() }
        do throws(SinkError) {
            if let segment, packet.isKey, isPartDue || !segment.format.isEqual(to: packet.format) { complete(segment) }
            // Without its key frame, a file cannot be decoded.
            guard segment != nil || packet.isKey else { return leaveOut() }
            if segment == nil { segment = try begin(with: packet) }
            try segment?.write(packet, until: interruption)
            state.update { state in
                state.statistics.written += 1
                state.bytes += packet.byteCount
            }
        } catch { try wait(after: error) }
    }

    private func leaveOut() {
        pause?.leftOut += 1
        state.update { $0.statistics.drops[.disabled] += 1 }
    }

    // MARK: Files

    private func begin(with packet: Packet) throws(SinkError) -> MovieSegment {
        let format = packet.format
        isPartDue = false
        count += 1
        state.update { $0.bytes = 0 }
        plan.keep?.apply(to: plan.names, keeping: Set(endings.map(\.segment.path)), reserve: nil)
        // A camera's packets can have another codec than the plan.
        let codec = format.videoCodec ?? plan.codec
        guard plan.container.holds(codec) else { throw plan.container.refusal(of: codec, in: plan.names.pattern) }
        let time = Int(WallTime.now.sinceEpoch.components.seconds)
        let tags = MovieTags(
            container: plan.container, title: plan.title, start: WallTime(of: packet.time, by: plan.clock),
            orientation: plan.orientation, part: plan.part)
        var again = 1
        while true {
            let path = plan.names.path(number: count, at: time, again: again)
            do throws(SinkError) {
                return try MovieSegment(
                    path, overwrites: plan.overwrites && again == 1 && (count == 1 || playlist != nil) || isPipe(path),
                    tracks: MovieSegment.Tracks(codec: codec, format: format, sounds: soundFormats), tags: tags)
            } catch {
                // An earlier run, or this run before the clock was set back, may have used the name. Use another name,
                // so that no file is lost.
                guard error.errno == .fileExists, plan.names.hasFields || count > 1, again < 10_000 else { throw error }
                again += 1
            }
        }
    }

    /// The formats of the sound tracks for the next file; nil for a track whose sound has failed or has not come.
    private var soundFormats: [PacketFormat?] {
        interleaver.formats.enumerated().map { interleaver.isEnded($0) && sounds[$0].end == nil ? nil : $1 }
    }

    private func isPipe(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Completes a file on a new thread, while the next file is written.
    private func complete(_ segment: MovieSegment) {
        self.segment = nil
        endings.removeAll { $0.thread.join(until: .zero) }
        let thread = WorkerThread(name: "pip-movie-end") { [deadline, endingFailure, playlist, last = endings.last] in
            do throws(SinkError) {
                try segment.finish(by: deadline.read { $0 })
                // A short file may be complete before a longer file that began earlier.
                last?.thread.join()
                try playlist?.update { (list: inout HLSPlaylist) throws(SinkError) in try list.add(segment) }
            } catch { endingFailure.update { $0 = $0 ?? error } }
        }
        endings.append((segment, thread))
    }

    private func lookAfterFiles() throws(SinkError) {
        do throws(SinkError) {
            if let failure = endingFailure.update({ failure in failure.take() }) { throw failure }
            guard let segment else { return }
            try segment.check()
            let now = clock.now
            guard now >= nextSync else { return }
            nextSync = now.advanced(by: plan.syncInterval)
            let written = try segment.sync()
            guard written > 0 else { return }
            if let room = segment.room, room.free < plan.reserve.kept(of: room) {
                throw SinkError(
                    segment.path, "write", .failed,
                    "the disk is full, but for the last \(plan.reserve.keptText(of: room)); what was written is complete",
                    errno: .noSpace)
            }
            let current = Set([segment.path] + endings.map(\.segment.path))
            // Reserve twice the bytes written since the last check, for the bytes until the next check.
            plan.keep?.apply(to: plan.names, keeping: current, reserve: 2 * written)
        } catch { try wait(after: error) }
    }

    /// Completes all files.
    ///
    /// - Returns: The first failure. Nil when all files are complete.
    private func end() -> SinkError? {
        if let segment { complete(segment) }
        for ending in endings { ending.thread.join() }
        endings = []
        do throws(SinkError) {
            try playlist?.read { (list) throws(SinkError) in try list.write(isComplete: true) }
        } catch { endingFailure.update { $0 = $0 ?? error } }
        return endingFailure.update { failure in failure.take() }
    }

    // MARK: A disk that is full or fails

    /// Pauses the recording until the disk has room or works again.
    ///
    /// - Throws: `error` itself when it is no disk error, or when the options do not allow waiting.
    private func wait(after error: SinkError) throws(SinkError) {
        if let segment { complete(segment) }
        guard plan.onFull == .wait, error.isOfDisk else { throw error }
        pause = (error, clock.now.advanced(by: interval(after: error)), pause?.leftOut ?? 0)
        state.update { $0.statistics.error = error }
        onEvent(.paused(error))
    }

    private func interval(after error: SinkError) -> Duration {
        error.isDiskFull ? plan.reserve.roomInterval : plan.reserve.retryInterval
    }

    /// Continues the recording in another file at a key frame, if an attempt is due and the disk has room.
    ///
    /// Returns true on success.
    private func resume(at packet: Packet) -> Bool {
        guard let waited = pause, packet.isKey, clock.now >= waited.nextAttempt else { return false }
        pause?.nextAttempt = clock.now.advanced(by: interval(after: waited.error))
        if waited.error.isDiskFull, let room = DiskRoom(folder: plan.names.folder), !plan.reserve.mayResume(in: room) {
            return false
        }
        do throws(SinkError) {
            let next = try begin(with: packet)
            segment = next
            pause = nil
            state.update { $0.statistics.error = nil }
            onEvent(.resumed(sink: plan.names.pattern, path: next.path, leftOut: waited.leftOut))
            return true
        } catch { return false }
    }
}

extension HLSPlaylist {
    /// Adds a complete segment, writes the playlist, and deletes segments that clients no longer request.
    fileprivate mutating func add(_ segment: MovieSegment) throws(SinkError) {
        let slash = segment.path.lastIndex(of: "/")
        let folder = slash.map { segment.path[...$0] } ?? ""
        let name = slash.map { String(segment.path[segment.path.index(after: $0)...]) } ?? segment.path
        let gone = add(Entry(name: name, duration: segment.duration))
        try write(isComplete: false)
        for name in gone { _ = unsafe unlink(folder + name) }
    }
}
#endif
