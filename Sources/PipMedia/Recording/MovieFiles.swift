#if Media
internal import Glibc
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import SystemPackage

/// The files of a recording: the file that is being written, and the earlier files that are being completed.
///
/// Thread: the recording's thread only, except ``deadline``.
final class MovieFiles {
    private let plan: MovieLoop.Plan
    private let interruption: Interruption
    private let onEvent: @Sendable (SinkEvent) -> Void
    private let state: Monitor<MovieLoop.State>
    private let clock = MonotonicClock()
    private var segment: MovieSegment?
    /// The file that is being written; nil between two files.
    private var current: DatedFile?
    /// The complete files; nil for a playlist, which refers to the files by their names.
    private let dated: DatedFiles?
    private var count = 0
    /// True when the next key frame begins a file.
    private var isPartDue = false
    /// The clip that begins with the next file; nil for a recording without clips.
    private var clip: ClipMemory.Clip?
    private var nextSync = Timestamp.zero
    private var pause: (error: SinkError, nextAttempt: Timestamp, leftOut: Int)?
    private var endings: [(segment: MovieSegment, thread: WorkerThread)] = []
    /// True once an event has told that files are deleted since the disk is full.
    private var hasToldOfDeleting = false
    private let endingFailure = Monitor<SinkError?>(nil)
    private let playlist: Monitor<HLSPlaylist>?
    /// The time by which files must be complete.
    let deadline = Monitor(Timestamp.distantFuture)

    init(
        _ plan: MovieLoop.Plan, counting state: Monitor<MovieLoop.State>, until interruption: Interruption,
        onEvent: @escaping @Sendable (SinkEvent) -> Void
    ) {
        (self.plan, self.state, self.interruption, self.onEvent) = (plan, state, interruption, onEvent)
        playlist = plan.playlist.map { Monitor($0) }
        dated = plan.playlist == nil ? DatedFiles(plan.names, by: plan.calendar) : nil
    }

    /// The disk error because of which frames are left out; nil while files are written.
    var pauseError: SinkError? { pause?.error }

    // MARK: Packets

    /// Writes a packet; a picture may begin a file.
    ///
    /// - Parameters:
    ///   - item: The packet.
    ///   - formats: The formats of the tracks beside the picture for a new file. Nil for a track whose sound has failed
    ///     or has not come.
    /// - Throws: ``PipSinks/SinkError`` when a file cannot be written, unless the recording waits for the disk.
    func write(_ item: Interleaver.Item, _ formats: [PacketFormat?]) throws(SinkError) {
        switch item {
        case .picture(let delivery): try write(delivery, formats)
        case .track(let packet, let number): if pause == nil { segment?.write(packet, track: number) }
        }
    }

    private func write(_ delivery: PacketFeed.Delivery, _ formats: [PacketFormat?]) throws(SinkError) {
        let packet = delivery.packet
        if delivery.beginsPart { isPartDue = true }
        if pause != nil, !resume(at: packet, formats) { return leaveOut() }
        do throws(SinkError) {
            if let segment, packet.isKey, isPartDue || !segment.format.isEqual(to: packet.format) { complete(segment) }
            // Without its key frame, a file cannot be decoded.
            guard segment != nil || packet.isKey else { return leaveOut() }
            if segment == nil { segment = try begin(with: packet, formats) }
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

    /// Ends a track whose sound has failed before the picture's end.
    func endTrack(_ number: Int) { segment?.endTrack(number) }

    // MARK: Clips

    /// Begins a clip with the next picture.
    func begin(_ clip: ClipMemory.Clip) { (self.clip, isPartDue) = (clip, true) }

    /// Completes the clip, and reports it.
    func endClip(_ moments: [Moment]) {
        guard let segment else { return }
        segment.note(moments)
        complete(segment, of: moments)
    }

    // MARK: Files

    private func begin(with packet: Packet, _ formats: [PacketFormat?]) throws(SinkError) -> MovieSegment {
        let format = packet.format
        isPartDue = false
        count += 1
        state.update { $0.bytes = 0 }
        plan.keep?.apply(to: plan.names, keeping: incomplete, reserve: nil)
        // A camera's packets can have another codec than the plan.
        let codec = format.videoCodec ?? plan.codec
        guard plan.container.holds(codec) else { throw plan.container.refusal(of: codec, in: plan.names.pattern) }
        let shownFrom = plan.container.hasEdits ? max(packet.time, clip?.start ?? packet.time) : packet.time
        // The pictures of a time-lapse have times of the movie.
        let (now, lead) = (plan.calendar.now, plan.calendar.lead)
        let start = plan.timeLapse != nil ? now : plan.calendar.time(of: shownFrom, by: plan.clock)
        // A clip has the name of its first picture, which was captured some time ago.
        let time = clip == nil ? now : start
        let tags = MovieTags(
            container: plan.container, title: plan.title, start: start, orientation: plan.orientation, part: plan.part,
            moments: clip?.moments ?? [], shownFrom: shownFrom)
        defer { clip = nil }
        var again = 1
        while true {
            let path = plan.names.path(number: count, at: Int(time.sinceEpoch.components.seconds), again: again)
            do throws(SinkError) {
                let segment = try MovieSegment(
                    path, overwrites: plan.overwrites && again == 1 && (count == 1 || playlist != nil) || isPipe(path),
                    tracks: MovieSegment.Tracks(
                        codec: codec, format: format, others: formats,
                        fragment: plan.timeLapse?.fragment ?? MovieContainer.usualFragment),
                    tags: tags, from: clip?.start)
                current = DatedFile(path, number: count, time: time, lead: lead, tags: tags)
                return segment
            } catch {
                // An earlier run, or this run before the clock was set back, may have used the name. Use another name,
                // so that no file is lost.
                guard error.errno == .fileExists, plan.names.hasFields || count > 1, again < DatedFile.mostAgain
                else { throw error }
                again += 1
            }
        }
    }

    private func isPipe(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Completes a file on a new thread, while the next file is written.
    private func complete(_ segment: MovieSegment, of moments: [Moment] = []) {
        self.segment = nil
        endings.removeAll { $0.thread.join(until: .zero) }
        let (deadline, endingFailure, playlist, last) = (deadline, endingFailure, playlist, endings.last)
        let (file, dated) = (current.take(), dated)
        let locked = plan.clips?.locked.map { ClipLock(plan.names, most: $0, onEvent) }
        let thread = WorkerThread(name: "pip-movie-end") { [onEvent, sink = plan.names.pattern] in
            do throws(SinkError) {
                try segment.finish(by: deadline.read { $0 })
                let lock = moments.isEmpty ? nil : locked
                let path = file.flatMap { dated?.keep($0) { lock?.lock($0) ?? $0 } } ?? segment.path
                if !moments.isEmpty { onEvent(.clip(sink: sink, path: path, moments)) }
                // A short file may be complete before a longer file that began earlier.
                last?.thread.join()
                try playlist?.update { (list: inout HLSPlaylist) throws(SinkError) in try list.add(segment) }
            } catch { endingFailure.update { $0 = $0 ?? error } }
        }
        endings.append((segment, thread))
    }

    /// Follows the clock, brings new data to the disk, and deletes old files that are not to be kept.
    ///
    /// - Throws: ``PipSinks/SinkError`` when a file has failed, unless the recording waits for the disk.
    func lookAfter() throws(SinkError) {
        do throws(SinkError) {
            if let failure = endingFailure.update({ failure in failure.take() }) { throw failure }
            if let sentence = dated?.look() { onEvent(.warning(sink: plan.names.pattern, sentence)) }
            guard let segment else { return }
            try segment.check()
            let now = clock.now
            guard now >= nextSync else { return }
            nextSync = now.advanced(by: plan.syncInterval)
            let written = try segment.sync()
            guard written > 0 else { return }
            if let room = segment.room, room.free < margin(of: room) {
                makeRoom(2 * written)
                try check(segment)
            }
            // Reserve twice the bytes written since the last check, for the bytes until the next check.
            plan.keep?.apply(to: plan.names, keeping: incomplete, reserve: 2 * written)
        } catch { try wait(after: error) }
    }

    /// Completes all files.
    ///
    /// - Returns: The first failure. Nil when all files are complete.
    func end() -> SinkError? {
        if let segment { complete(segment) }
        for ending in endings { ending.thread.join() }
        // A file that was being completed could not be deleted when the last file began.
        if let last = endings.last { plan.keep?.apply(to: plan.names, keeping: [last.segment.path], reserve: 0) }
        endings = []
        do throws(SinkError) {
            try playlist?.read { (list) throws(SinkError) in try list.write(isComplete: true) }
        } catch { endingFailure.update { $0 = $0 ?? error } }
        return endingFailure.update { failure in failure.take() }
    }

    /// The paths of the files that are being written or completed.
    private var incomplete: Set<String> { Set([segment?.path].compactMap(\.self) + endings.map(\.segment.path)) }

    // MARK: A disk that is full or fails

    /// The number of bytes of a disk below which a recording deletes its oldest files.
    ///
    /// Parts are deleted before clips, and both before a recording that cannot delete anything ends.
    private func margin(of room: DiskRoom) -> Int { plan.reserve.kept(of: room) * (plan.clips == nil ? 3 : 2) }

    /// Deletes the oldest files of a recording that deletes old files anyway, until its disk has room.
    ///
    /// - Parameter bytes: The room that is needed beyond the margin.
    /// - Returns: True when files were deleted, and the disk has room.
    @discardableResult
    private func makeRoom(_ bytes: Int) -> Bool {
        guard let keep = plan.keep else { return false }
        let (hasRoom, deleted) = keep.makeRoom(for: plan.names, keeping: incomplete) { room in
            room.free >= margin(of: room) + bytes
        }
        guard deleted > 0 else { return false }
        if !hasToldOfDeleting {
            hasToldOfDeleting = true
            let sentence = "the disk is full: the oldest files of this recording are deleted earlier than asked for"
            onEvent(.warning(sink: plan.names.pattern, sentence))
        }
        return hasRoom
    }

    /// Throws when a disk has no more room than must stay free.
    private func check(_ segment: MovieSegment) throws(SinkError) {
        guard let room = segment.room, room.free < plan.reserve.kept(of: room) else { return }
        throw SinkError(
            segment.path, "write", .failed,
            "the disk is full, but for the last \(plan.reserve.keptText(of: room)); what was written is complete",
            errno: .noSpace)
    }

    /// Pauses the recording until the disk has room or works again.
    ///
    /// - Throws: `error` itself when it is no disk error, or when the options do not allow waiting.
    private func wait(after error: SinkError) throws(SinkError) {
        if let segment { complete(segment) }
        // The next key frame begins another file.
        if error.isDiskFull, makeRoom(0) { return }
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
    private func resume(at packet: Packet, _ formats: [PacketFormat?]) -> Bool {
        guard let waited = pause, packet.isKey, clock.now >= waited.nextAttempt else { return false }
        pause?.nextAttempt = clock.now.advanced(by: interval(after: waited.error))
        if waited.error.isDiskFull, let room = DiskRoom(folder: plan.names.folder), !plan.reserve.mayResume(in: room) {
            return false
        }
        do throws(SinkError) {
            let next = try begin(with: packet, formats)
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
