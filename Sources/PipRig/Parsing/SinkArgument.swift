package import PipCompose
internal import PipSinks

#if Media
internal import PipMedia
#endif

/// A parsed output: `out.y4m`, `frames/%05d.png`, `-`, `null:?format=nv12`.
package struct SinkArgument: Sendable, Equatable {
    /// The kind of output, with its own options.
    package enum Kind: Sendable, Equatable {
        /// A Y4M file; the path `-` is standard output.
        case y4m(path: String, onFull: DiskPolicy = .stop)
        case raw(path: String, PixelFormat, onFull: DiskPolicy = .stop)
        case png(pattern: String, onFull: DiskPolicy = .stop)
        case jpeg(pattern: String, quality: Int, onFull: DiskPolicy = .stop)
        case movie(MovieArgument)
        case wav(WAVArgument)
        case stream(StreamArgument)
        case whip(WHIPArgument)
        case elements(ElementsArgument)
        case display(DisplayArgument)
        case virtualCamera(VirtualCameraTarget, PixelFormat)
        case null(PixelFormat)

        /// True for an output of picture files.
        fileprivate var isPicture: Bool {
            switch self {
            case .png, .jpeg: true
            default: false
            }
        }

        /// True for a time-lapse.
        fileprivate var isTimeLapse: Bool { if case .movie(let movie) = self { movie.isTimeLapse } else { false } }

        /// True when the output accepts odd sizes: its frames have no chroma subsampling, or the output crops or
        /// converts them.
        fileprivate var isRGB: Bool {
            switch self {
            case .y4m, .jpeg, .virtualCamera: false
            // Codecs that need even sizes crop the last row or column.
            case .png, .movie, .wav, .stream, .whip, .elements, .display: true
            case .raw(_, let format, _), .null(let format): !format.isYUV
            }
        }
    }

    /// The device of a virtual camera.
    package enum VirtualCameraTarget: Sendable, Equatable {
        case path(String)
        case label(String)
        /// The first virtual camera to which no program writes.
        case free
    }

    /// The output's name in messages, with passwords masked.
    package let text: String
    /// The text that the user typed.
    ///
    /// The text may contain passwords and keys, so messages must not show it.
    package let written: String
    /// The picture whose source the output receives directly; nil or `output` for the composed picture.
    package let picture: PictureTarget?
    package private(set) var kind: Kind
    /// The size to which frames are scaled; nil keeps the size of the picture.
    package let size: PixelSize?
    /// The highest frame rate of the output; nil for no limit.
    package let frameRate: FrameRate?
    /// The interval at which an output of pictures takes them; nil takes each frame.
    package let interval: IntervalArgument?

    /// The pixel formats of raw files and of `null:`.
    private static let rawFormats: [PixelFormat] = [.nv12, .i420, .rgba]
    private static let cameraFormats: [PixelFormat] = [.i420, .nv12, .yuyv]
    private static let cameraPrefix = "virtual-camera:"

    package init(_ whole: String) throws(UsageError) {
        written = whole
        let text: String
        (picture, text) = PictureTarget.leading(whole)
        if let stream = try StreamArgument(text) {
            self.text = stream.name
            kind = .stream(stream)
            let query = try StreamArgument.query(text)
            size = try query.size(allowsOdd: true)
            (frameRate, interval) = (try query.frameRate(), nil)
            return
        }
        if let whip = try WHIPArgument(text) {
            self.text = whip.name
            kind = .whip(whip)
            (size, frameRate, interval) = (try whip.size(), try whip.frameRate(), nil)
            return
        }
        if let elements = try ElementsArgument(text) {
            self.text = elements.name
            kind = .elements(elements)
            (size, frameRate, interval) = (nil, nil, nil)
            return
        }
        self.text = text
        let query = try OptionQuery(text)
        if query.name.isEmpty { throw UsageError("an output is missing: \(Self.kinds)") }
        if query.name.hasPrefix("-"), query.name != "-" {
            throw UsageError("an output is missing before the option \(query.name)")
        }
        if let reason = Self.notYet(query.name) { throw UsageError("\(text): \(reason)") }
        kind = try Self.kind(query, text)
        size = try query.size(allowsOdd: kind.isRGB)
        interval = kind.isPicture ? try IntervalArgument(query, text) : nil
        // The rate of a time-lapse is the movie's.
        frameRate = kind.isTimeLapse ? nil : try query.frameRate()
    }

    private static func kind(_ query: OptionQuery, _ text: String) throws(UsageError) -> Kind {
        if query.name.hasPrefix("null:") {
            guard query.name == "null:" else { throw UsageError("\(text): null: takes no name") }
            try query.allow("format", "size", "fps", for: "null:")
            return .null(try query.pixelFormat(among: rawFormats) ?? .i420)
        }
        if let display = try DisplayArgument(query) { return .display(display) }
        guard let target = virtualCamera(query.name) else { return try file(query, text) }
        try query.allow("format", "size", "fps", for: "a virtual camera")
        return .virtualCamera(target, try query.pixelFormat(among: cameraFormats) ?? .i420)
    }

    /// The sound that the output receives.
    package var sound: SoundChoice {
        switch kind {
        case .movie(let movie): movie.sound
        case .stream(let stream): stream.sound
        case .wav(let wav): wav.sound
        case .whip(let whip): whip.sound
        case .y4m, .raw, .png, .jpeg, .elements, .display, .virtualCamera, .null: .off
        }
    }

    /// True when the output writes to standard output.
    package var writesStandardOutput: Bool {
        switch kind {
        case .y4m(let path, _), .raw(let path, _, _), .png(let path, _), .jpeg(let path, _, _):
            ["-", "/dev/stdout"].contains(path)
        case .movie, .wav, .stream, .whip, .elements, .display, .virtualCamera, .null: false
        }
    }

    /// The path or path pattern to which the output writes; nil for an output without a path.
    package var path: String? {
        switch kind {
        case .y4m(let path, _), .raw(let path, _, _), .png(let path, _), .jpeg(let path, _, _): path
        case .movie(let movie): movie.destination
        case .wav(let wav): wav.path
        case .virtualCamera(.path(let path), _): path
        case .stream, .whip, .elements, .display, .virtualCamera, .null: nil
        }
    }

    #if Media
    /// Returns the output with one part of the composition, in another file; nil when the output cannot hold a part.
    func holding(_ part: MoviePart, at path: String) -> SinkArgument? {
        guard case .movie(let movie) = kind, let changed = movie.holding(part, at: path) else { return nil }
        var sink = self
        sink.kind = .movie(changed)
        return sink
    }
    #endif

    /// True when the output writes several segments, each to its own file.
    package var hasParts: Bool { if case .movie(let movie) = kind { movie.hasParts } else { false } }

    /// True when the output writes a clip of each marked moment.
    package var hasClips: Bool { if case .movie(let movie) = kind { movie.hasClips } else { false } }

    /// True when the output records the values of sensors and programs.
    var hasValues: Bool { if case .movie(let movie) = kind { movie.hasValues } else { false } }

    /// The virtual camera that an output's name selects; nil for the name of any other output.
    ///
    /// A path that begins with `/dev/video` is a virtual camera even if the device does not exist.
    private static func virtualCamera(_ name: String) -> VirtualCameraTarget? {
        if name.hasPrefix(cameraPrefix) {
            let label = String(name.dropFirst(cameraPrefix.count))
            return label.isEmpty ? .free : .label(label)
        }
        return name.hasPrefix("/dev/video") || isVideoDevice(name) ? .path(name) : nil
    }

    private static func file(_ query: OptionQuery, _ text: String) throws(UsageError) -> Kind {
        let path = query.name
        if let movie = try MovieArgument(query, text, onFull: { () throws(UsageError) in try onFull(query) }) {
            return .movie(movie)
        }
        if let wav = try WAVArgument(query, text) { return .wav(wav) }
        let named = query["format"] ?? (path == "-" ? "y4m" : fileEnding(path))
        switch named.lowercased() {
        case "y4m":
            try query.allow("format", "on-full", "size", "fps", for: "a Y4M file")
            return .y4m(path: path, onFull: try onFull(query))
        case "png":
            try query.allow(["format", "on-full", "size", "fps"] + IntervalArgument.options, for: "a PNG file")
            return .png(pattern: try picture(path), onFull: try onFull(query))
        case "jpg", "jpeg":
            try query.allow(
                ["format", "quality", "on-full", "size", "fps"] + IntervalArgument.options, for: "a JPEG file")
            let quality = try query.number("quality", in: 1...100) ?? 90
            return .jpeg(pattern: try picture(path), quality: quality, onFull: try onFull(query))
        default:
            if let format = rawFormats.first(where: { $0.rawValue == named.lowercased() }) {
                try query.allow("format", "on-full", "size", "fps", for: "a raw file")
                return .raw(path: path, format, onFull: try onFull(query))
            }
            if query["format"] != nil {
                let names = ["y4m", "png", "jpg", "wav"] + MovieArgument.endings + rawFormats.map(\.rawValue)
                throw UsageError("\(text): there is no format \(named)\(NearestName.hint(for: named, among: names))")
            }
            throw UsageError("\(text): \(unknownEnding(named)); \(kinds); or force a kind with \(path)?format=y4m")
        }
    }

    /// Reads the option `on-full`, the behaviour on a full disk; `stop` without the option.
    private static func onFull(_ query: OptionQuery) throws(UsageError) -> DiskPolicy {
        let policy: DiskPolicy? = try query.choice("on-full")
        if policy == .wait, query.name == "-" {
            throw UsageError("-?on-full=wait: standard output has no disk; on-full is for files")
        }
        return policy ?? .stop
    }

    private static func picture(_ path: String) throws(UsageError) -> String {
        guard path != "-" else {
            throw UsageError("-: pictures need files; write a Y4M stream or raw frames to standard output")
        }
        return path
    }

    /// Explains why an output that users may expect is not supported, and names the alternative; nil for other names.
    private static func notYet(_ name: String) -> String? {
        let address = name.split(separator: ":").first.map(String.init)?.lowercased() ?? ""
        if ["http", "https"].contains(address), name.contains("://") {
            return "pictures cannot be sent by HTTP; write rtmp://, srt://, rtsp://, udp://, rtp:// or whip+https://"
        }
        return nil
    }

    /// A sentence that lists the kinds of outputs.
    package static let kinds =
        """
        an output is out.mp4, .mkv, .mov, .webm or .ts, out.wav, live/index.m3u8, rtmp://, srt://, rtsp://, udp://, rtp://, \
        whip+https:// or rtsp-server:0.0.0.0:8554/cam, \
        frames/%05d.png or .jpg, out.y4m, - (Y4M on standard output), out.nv12, out.i420, out.rgba, /dev/video10 or \
        virtual-camera:LABEL, window:TITLE, kms:CONNECTOR, gst:ELEMENTS, or null:
        """
}
