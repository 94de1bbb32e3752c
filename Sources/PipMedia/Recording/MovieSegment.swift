#if Media
internal import CGStreamer
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import SystemPackage

/// A movie file that is being written: an open file, and the muxer that fills it.
final class MovieSegment: Sendable {
    /// The largest number of picture packets that wait for the disk.
    private static let depth = 64

    private struct State {
        var start: Timestamp?
        var end: Timestamp?
        var syncedBytes = 0
        /// True once the tags are in the header that players read after a crash.
        var isHeadTagged = false
        var hasEnded = false
        /// The number of packets written to each track beside the picture.
        var packets: [Int]
        /// The moments that a clip keeps; empty for other recordings.
        var moments: [Moment]
    }

    let path: String
    let format: PacketFormat
    /// The time of the first picture to show, in a file that can say so; nil for the file's first picture.
    private let shownFrom: Timestamp?
    private let tags: MovieTags
    private let descriptor: Int32
    private let pipeline: Pipeline
    private let inlet: Inlet
    /// The inlets of the tracks beside the picture; nil for a track that the file leaves out.
    private let others: [TrackInlet?]
    private let distinctSizes: Int
    private let state: Monitor<State>

    /// The formats of a file's tracks: one picture track, and any number of tracks of sound and texts.
    struct Tracks {
        let codec: VideoCodec
        /// The format of the picture's packets.
        let format: PacketFormat
        /// The formats of the tracks beside the picture; nil for a track that the file leaves out.
        let others: [PacketFormat?]
        /// The play time of each fragment.
        var fragment = MovieContainer.usualFragment
    }

    /// Creates the file, and starts its muxer.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - overwrites: True to replace an existing file.
    ///   - tracks: The formats of the tracks.
    ///   - tags: The container, and the tags to write.
    ///   - shownFrom: The time of the first picture to show. Nil for the file's first picture.
    /// - Throws: ``PipSinks/SinkError`` when the file cannot be created, or its muxer cannot start.
    init(
        _ path: String, overwrites: Bool, tracks: Tracks, tags: MovieTags, from shownFrom: Timestamp? = nil
    ) throws(SinkError) {
        let (container, codec, others) = (tags.container, tracks.codec, tracks.others)
        self.path = path
        self.tags = tags
        self.shownFrom = container.hasEdits ? shownFrom : nil
        format = tracks.format
        distinctSizes = container.distinctSizes
        state = Monitor(State(packets: Array(repeating: 0, count: others.count), moments: tags.moments))
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | (overwrites ? O_TRUNC : O_EXCL)
        descriptor = unsafe open(path, flags, 0o644)
        guard descriptor >= 0 else {
            let reason = Errno(rawValue: errno)
            throw reason == .fileExists ? .exists(path) : SinkError.cannotCreate(path, reason)
        }
        do throws(MediaError) {
            // The muxer writes nothing while a track has no data: leave out tracks without sound.
            let inlets = others.enumerated().compactMap { number, format in
                format.map { "appsrc name=track\(number) ! \($0.isText ? container.textPad : container.soundPad)" }
            }
            pipeline = try Pipeline(
                """
                \(container.muxer(of: codec, fragment: tracks.fragment)) ! fdsink name=file sync=false async=false \
                appsrc name=video ! \(codec.containerParser)\(container.picturePad) \(inlets.joined(separator: " "))
                """)
            pipeline.set("fd", of: "file", to: "\(descriptor)")
            inlet = Inlet("video", of: pipeline)
            inlet.use(format)
            self.others = others.enumerated().map { [pipeline] number, format in
                format.map { TrackInlet("track\(number)", of: pipeline, $0) }
            }
            tags.use(for: pipeline)
            unsafe pipeline.withElement("mux") { unsafe pip_muxer_mend($0) }
            try pipeline.play()
        } catch {
            close(descriptor)
            _ = unsafe unlink(path)
            throw SinkError(path, "create", .failed, error.reason)
        }
    }

    deinit {
        pipeline.stop()
        close(descriptor)
    }

    /// Writes a picture.
    ///
    /// Blocks while more than 64 packets wait for the disk.
    ///
    /// - Parameters:
    ///   - packet: The picture.
    ///   - interruption: Ends the wait with an error.
    /// - Throws: ``PipSinks/SinkError`` when the file can no longer be written, or at an interruption.
    func write(_ packet: Packet, until interruption: Interruption) throws(SinkError) {
        let start = state.update { state in
            if state.start == nil { state.start = packet.time }
            state.end = packet.time.advanced(by: packet.duration)
            return state.start ?? packet.time
        }
        guard let buffer = unsafe packet.copy(from: start), unsafe inlet.push(buffer) else {
            try check()
            throw SinkError(path, "write", .failed, "the muxer accepts no more packets")
        }
        try check()
        while inlet.level > Self.depth {
            let soon = MonotonicClock().now.advanced(by: .milliseconds(5))
            guard interruption.wait(for: -1, events: 0, until: soon) != .interrupted else {
                throw SinkError(path, "write", .interrupted, "the time for finishing ended before the frame was taken")
            }
            try check()
        }
    }

    /// Writes sound or a text, and drops those from before the file's first picture, or before the first picture to
    /// show.
    ///
    /// FFmpeg takes the first edit of a sound track that begins within it for the encoder's delay, and drops more than
    /// the edit says (FFmpeg 5.1, `mov_fix_index`).
    ///
    /// - Parameters:
    ///   - packet: The sound or the text.
    ///   - track: The number of the packet's track.
    func write(_ packet: Packet, track: Int) {
        guard let start = state.read({ $0.start }), packet.time >= max(start, shownFrom ?? start),
            let buffer = unsafe packet.copy(from: start, padding: padding(of: packet, track))
        else { return }
        // A pipeline that no longer accepts packets reports its failure with the next picture.
        if let other = others[track] { _ = unsafe other.inlet.push(buffer) }
    }

    /// The number of bytes to add to a packet, so that its size differs from those of its neighbours.
    private func padding(of packet: Packet, _ track: Int) -> Int {
        let number = state.update { state in
            defer { state.packets[track] += 1 }
            return state.packets[track]
        }
        let surplus = (number - packet.byteCount) % distinctSizes
        return surplus < 0 ? surplus + distinctSizes : surplus
    }

    /// Ends a track whose sound has failed before the picture's end.
    func endTrack(_ number: Int) { others[number]?.inlet.end() }

    /// Notes the moments that a clip keeps, before ``finish(by:)``.
    func note(_ moments: [Moment]) { state.update { $0.moments = moments } }

    /// Checks that the file can still be written.
    ///
    /// - Throws: ``PipSinks/SinkError`` when the file can no longer be written.
    func check() throws(SinkError) {
        while let message = pipeline.nextMessage() {
            switch message {
            case .failed(let error): throw failure(error)
            case .ended: state.update { $0.hasEnded = true }
            case .warning: break
            }
        }
    }

    /// Waits until the file's new data is on the disk, and for the first data also until the file's name is.
    ///
    /// - Returns: The number of new bytes.
    /// - Throws: ``PipSinks/SinkError`` when the disk failed to store the data.
    func sync() throws(SinkError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return 0 }
        let bytes = Int(status.st_size)
        let synced = state.update { state in
            defer { state.syncedBytes = bytes }
            return state.syncedBytes
        }
        guard bytes != synced else { return 0 }
        if !state.read({ $0.isHeadTagged }), tags.complete(descriptor, size: bytes, state.read { $0.moments }) {
            state.update { $0.isHeadTagged = true }
        }
        guard fdatasync(descriptor) == 0 || errno == EINVAL || errno == EINTR else {
            let reason = Errno(rawValue: errno)
            throw SinkError(path, "keep what was written", .failed, "\(reason)", errno: reason)
        }
        if synced == 0 { bringNameToDisk(of: path) }
        return max(0, bytes - synced)
    }

    /// The playing time of the file so far.
    var duration: Duration {
        state.read { state in
            guard let start = state.start, let end = state.end else { return .zero }
            return start.duration(to: end)
        }
    }

    /// The free space on the file's disk; nil when unknown.
    var room: DiskRoom? { DiskRoom(descriptor: descriptor) }

    /// Completes the file.
    ///
    /// - Parameter deadline: The end of the wait. A file that is incomplete at the deadline still plays.
    /// - Throws: ``PipSinks/SinkError`` when the file is incomplete at the deadline, and when writing or storing fails.
    func finish(by deadline: Timestamp) throws(SinkError) {
        inlet.end()
        for other in others { other?.inlet.end() }
        let clock = MonotonicClock()
        while !state.read({ $0.hasEnded }) {
            let left = clock.now.duration(to: deadline)
            guard left > .zero else {
                throw SinkError(
                    path, "finish", .interrupted,
                    "the end was not written in time; the file plays up to its last frame")
            }
            switch pipeline.nextMessage(within: min(left, .milliseconds(100))) {
            case .failed(let error): throw failure(error)
            case .ended: state.update { $0.hasEnded = true }
            case .warning, nil: break
            }
        }
        pipeline.stop()
        if let size { complete(size) }
        _ = try sync()
    }

    /// Writes the tags of a file that the muxer has completed, and hides its pictures before the first one to show.
    private func complete(_ size: Int) {
        var tags = tags
        let lead = lead ?? .zero
        // GStreamer 1.22 shows nothing of a file whose hidden pictures are longer than the others.
        let isHiding = lead > .zero && lead < duration - lead
        if lead > .zero, !isHiding {
            tags.shownFrom = tags.shownFrom.advanced(by: .zero - lead)
            tags.start = tags.start + (.zero - lead)
        }
        _ = tags.complete(descriptor, size: size, state.read { $0.moments })
        if isHiding { MovieEdits(descriptor, size: size).skip(lead) }
        state.update { $0.isHeadTagged = true }
    }

    /// The length of the file in bytes; nil when unknown.
    private var size: Int? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// The time from the file's first picture to the first picture to show; nil for a file that shows all pictures.
    private var lead: Duration? { shownFrom.flatMap { shownFrom in state.read { $0.start }?.duration(to: shownFrom) } }

    private func failure(_ error: MediaError) -> SinkError {
        guard error.kind == .full else { return SinkError(path, "write", .failed, error.reason) }
        return SinkError(
            path, "write", .failed, "the disk is full; the file plays up to its last frame", errno: .noSpace)
    }
}
#endif
