package import PipCompose
internal import PipText

#if Media
package import PipMedia

/// A parsed recording: `drive-%H%M.mp4?segment=3m&keep=20GB`.
package struct MovieArgument: Sendable, Equatable {
    private var path: String
    private let container: MovieContainer
    private let encoding: VideoEncoding
    private let segments: SegmentLimit?
    /// The length of a clip around each marked moment; nil to record everything.
    private let clips: ClipWindow?
    /// The interval of a time-lapse; nil records in real time.
    package let timeLapse: TimeLapse?
    private let keep: Retention?
    /// True to replace an existing file.
    private(set) var overwrites: Bool
    private let onFull: DiskPolicy
    /// The rotation that players apply, as the file's metadata says.
    private let orientation: Orientation
    /// True for an HTTP live stream (HLS): a playlist and segment files for a web server.
    package let isStream: Bool
    /// The part of a sharded composition that the file holds; nil when the file holds the whole composition.
    private var part: MoviePart?
    /// The sound that the file receives.
    package let sound: SoundChoice
    /// True for a track of the present values of sensors and programs.
    package let hasValues: Bool
    /// The bit rate of the sound, in bits a second; nil for the default.
    private let soundBits: Int?
    /// The value of the option `frames`; nil lets the other options decide.
    package let frames: CameraFrames?
    /// True when a recording of a camera takes every frame: with `frames=every`, or by default.
    ///
    /// The default is false for `.webm` and `.ts`, and with any of ``OptionQuery/pictureOptions``.
    package let recordsCamera: Bool

    /// The kind of frames that a recording of a camera takes.
    package enum CameraFrames: String, CaseIterable {
        /// Every frame of the camera, as the driver delivers it.
        case every
        /// The frames that the compositor draws, at the output rate.
        case composed
    }

    /// The file name extensions, and the values of `?format=`, that mean a recording or an HTTP live stream.
    package static let endings = MovieContainer.allCases.map(\.rawValue) + ["m3u8"]

    private static let options = OptionQuery.streamOptions + ["format", "segment"]
    /// Options of recordings that an HTTP live stream does not have.
    private static let fileOptions =
        ["event", "lock", "keep", "overwrite", "on-full", "frames", "rotate", "values"] + TimeLapse.options

    /// Parses an output; nil when the output is not a recording.
    ///
    /// - Parameters:
    ///   - query: The path and its options.
    ///   - text: The output as the user typed it.
    ///   - onFull: Reads the behaviour on a full disk.
    /// - Throws: ``UsageError`` for a mistake in the options.
    package init?(_ query: OptionQuery, _ text: String, onFull: () throws(UsageError) -> DiskPolicy) throws(UsageError)
    {
        let container =
            if let format = query["format"] { MovieContainer(rawValue: format.lowercased()) } else {
                MovieContainer(path: query.name)
            }
        isStream = (query["format"] ?? fileEnding(query.name)).lowercased() == "m3u8"
        guard let container = isStream ? .ts : container else { return nil }
        try query.allow(
            Self.options + (isStream ? [] : Self.fileOptions),
            for: isStream ? "an HTTP live stream" : "a recording")
        path = query.name
        timeLapse = try TimeLapse(query, text)
        sound = timeLapse == nil ? SoundChoice(query["audio"]) : .off
        soundBits = try query.audioBitRate()
        if isStream { try sound.checkOneTrack(in: "an HTTP live stream", text) }
        self.container = container
        encoding = try Self.encoding(query, container, text)
        segments = try query.read("segment", Self.segmentLimit)
        clips = try ClipWindow(query, text)
        keep = try query.read("keep", Self.retention)
        overwrites = try query.flag("overwrite") ?? false
        hasValues = try query.flag("values") ?? false
        self.onFull = try onFull()
        let drawn = (OptionQuery.pictureOptions + TimeLapse.options).first { query[$0] != nil }
        frames = try Self.frames(query, text)
        orientation = try query.rotation() ?? .identity
        if orientation != .identity, container != .mp4, container != .mov {
            throw UsageError("\(text): rotate needs a .mp4 or .mov file, which tells players to turn the picture")
        }
        let usual: CameraFrames = drawn == nil && [.mp4, .mov, .mkv].contains(container) ? .every : .composed
        recordsCamera = (frames ?? usual) == .every
        if path == "-" {
            throw UsageError(
                "-: a recording cannot be written to standard output; name a file, or use Y4M or raw frames")
        }
        if keep != nil, segments == nil, clips == nil {
            throw UsageError("\(text): keep is for recordings in parts; give the length of a part, as in &segment=3m")
        }
        if clips != nil, segments != nil {
            throw UsageError("\(text): event and segment exclude each other: add an output for each")
        }
    }

    func sink(_ mixed: RigSound?, _ telemetry: Telemetry) -> any Sink {
        let tracks = mixed?.tracks(sound) ?? []
        if isStream {
            let segment = if case .duration(let duration) = segments { duration } else { Duration.seconds(2) }
            return HLSStream(path, encoding: encoding, sound: tracks.first, segment: segment)
        }
        return MovieFile(
            path, container: container, encoding: encoding, sound: tracks,
            soundEncoding: soundBits.map { AudioEncoding(container.audioCodecs[0], bitRate: $0) },
            texts: hasValues ? TextTrack(telemetry) : nil, segments: segments, clips: clips, keep: keep,
            overwrites: overwrites, onFull: onFull, orientation: orientation, part: part, timeLapse: timeLapse)
    }

    /// Returns a recording that holds one part of the composition, in another file.
    ///
    /// The new file replaces an existing one.
    ///
    /// - Returns: The recording; nil for segments, clips, a time-lapse, a live stream, and a container that cannot mark
    ///   a part.
    func holding(_ part: MoviePart, at path: String) -> MovieArgument? {
        guard segments == nil, clips == nil, timeLapse == nil, !isStream, container != .ts else { return nil }
        var movie = self
        (movie.path, movie.part, movie.overwrites) = (path, part, true)
        return movie
    }

    /// The sink that records every frame of a camera.
    func cameraFile(_ mixed: RigSound?, _ telemetry: Telemetry) -> CameraFile {
        // A camera's compressed video stays as it is unless an option asks for another encoding.
        CameraFile(
            path, container: container, encoding: encoding == VideoEncoding(container.codecs[0]) ? nil : encoding,
            sound: mixed?.tracks(sound) ?? [],
            soundEncoding: soundBits.map { AudioEncoding(container.audioCodecs[0], bitRate: $0) },
            texts: hasValues ? TextTrack(telemetry) : nil, segments: segments, clips: clips, keep: keep,
            overwrites: overwrites, onFull: onFull, orientation: orientation)
    }

    private static func segmentLimit(_ text: String) throws(UsageError) -> SegmentLimit {
        if let bytes = Int(bytes: text) { return .bytes(bytes) }
        do throws(UsageError) { return .duration(try Duration(argument: text)) } catch {
            throw UsageError("\(error); or write a size such as 200MB")
        }
    }

    private static func retention(_ text: String) throws(UsageError) -> Retention {
        if let bytes = Int(bytes: text) { return .bytes(bytes) }
        if text.hasSuffix("d"), let days = Double(text.dropLast()), (0.001...100_000).contains(days) {
            return .age(.seconds(days * 86_400))
        }
        do throws(UsageError) { return .age(try Duration(argument: text)) } catch {
            throw UsageError("\(error); or write days as in 7d, or a size such as 20GB")
        }
    }

    private static func frames(_ query: OptionQuery, _ text: String) throws(UsageError) -> CameraFrames? {
        let wish: CameraFrames? = try query.choice("frames")
        if wish == .every, let drawn = (["size", "fps"] + TimeLapse.options).first(where: { query[$0] != nil }) {
            throw UsageError("\(text): frames=every takes a camera's frames as they are; leave \(drawn) out")
        }
        return wish
    }

    /// The path of the file or of the playlist, or the pattern of the segments' paths.
    package var destination: String { path }

    /// True when the recording writes several segments, each to its own file.
    package var hasParts: Bool { segments != nil && !isStream }

    /// True for a time-lapse.
    package var isTimeLapse: Bool { timeLapse != nil }

    /// True when the recording writes a clip of each marked moment.
    package var hasClips: Bool { clips != nil }

    private static func encoding(
        _ query: OptionQuery, _ container: MovieContainer, _ text: String
    ) throws(UsageError) -> VideoEncoding {
        try VideoEncoding(query, codecs: container.codecs, of: "a .\(container.rawValue) file", text)
    }
}

extension OptionQuery {
    /// The options of the encoder, the size and the rate.
    ///
    /// A file with any of these options holds composed frames, unless `frames=every` is given, too.
    static let pictureOptions = ["codec", "bitrate", "quality", "gop", "speed", "encoder", "threads", "size", "fps"]
    /// The options of outputs with encoded pictures and sound.
    static let streamOptions = ["audio", "audio-bitrate"] + pictureOptions

    /// The bit rate of the sound, in bits a second; nil when the option is absent.
    package func audioBitRate() throws(UsageError) -> Int? {
        try read("audio-bitrate") { value throws(UsageError) in
            let bits = try bitRate(value, named: "audio-bitrate")
            guard (16_000...512_000).contains(bits) else {
                throw UsageError("audio-bitrate is \(value), but must be between 16k and 512k bits a second")
            }
            return bits
        }
    }
}

extension Int {
    /// Reads a size such as `200MB` or `20GB`; nil for any other text.
    init?(bytes text: String) {
        let units: [(String, Double)] = [("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)]
        guard let unit = units.first(where: { text.hasSuffix($0.0) }), let value = Double(text.dropLast(2)), value > 0,
            value * unit.1 < 1e18
        else { return nil }
        self = Int(value * unit.1)
    }
}
#else
/// Refuses recordings in a program that was built without media.
package enum MovieArgument: Sendable, Equatable {
    package static let endings = ["mp4", "mov", "mkv", "webm", "ts", "m3u8"]

    package init?(_ query: OptionQuery, _ text: String, onFull: () throws(UsageError) -> DiskPolicy) throws(UsageError)
    {
        let ending = query["format"] ?? fileEnding(query.name)
        guard Self.endings.contains(ending.lowercased()) else { return nil }
        throw UsageError(
            "\(text): \(withoutMedia), or pipe Y4M to a program that writes them: --output - | ffmpeg -i - \(query.name)"
        )
    }

    package var sound: SoundChoice { .off }

    func sink(_ mixed: RigSound?, _ telemetry: Telemetry) -> any Sink { NullSink() }

    package var destination: String { "" }
    package var isStream: Bool { false }
    package var hasParts: Bool { false }
    package var hasClips: Bool { false }
    package var isTimeLapse: Bool { false }
    package var hasValues: Bool { false }
}
#endif
