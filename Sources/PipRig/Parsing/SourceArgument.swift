package import PipCompose
package import PipPatterns
internal import PipSources

/// A parsed source: `/dev/video0`, `pattern:scene?fps=15`, `clip.y4m?loop`, `raw.nv12?size=1280x720`.
package struct SourceArgument: Sendable {
    /// The kind of source, with its own options.
    package enum Kind: Sendable {
        case camera(CameraSelector, CameraWish)
        case pattern(Pattern, PatternOptions)
        case picture(path: String, FrameRate?, PictureEnding)
        case y4m(path: String, loops: Bool)
        case raw(path: String, RawFileOptions)
        case movie(MovieInput)
        case stream(StreamInput)
    }

    /// The options of a test pattern.
    package struct PatternOptions: Sendable, Equatable {
        package var size = PixelSize.hd720
        package var frameRate = FrameRate(30)
        package var seed = 0
        package var format = PixelFormat.i420
    }

    /// The properties of a headerless file: format, size and rate.
    package struct RawFileOptions: Sendable, Equatable {
        package var format: PixelFormat
        package var size: PixelSize
        package var frameRate = FrameRate(30)
        package var loops = false
    }

    /// The text that the user typed, with passwords masked, for messages.
    package let text: String
    package let kind: Kind
    /// The text that the user typed, which identifies the source.
    ///
    /// Two sources with equal texts are the same source. The text may contain passwords, so messages must not show it.
    package let identity: String

    package init(_ text: String) throws(UsageError) {
        if let stream = try StreamInput(text) {
            // Messages must not show passwords.
            self.text = stream.shown
            identity = text
            kind = .stream(stream)
            return
        }
        if let mistake = Self.foreignProtocol(text) { throw mistake }
        let query = try OptionQuery(text)
        self.text = text
        identity = text
        kind = try Self.kind(query, text)
    }

    /// Creates a source from its parsed values; `text` also identifies the source.
    package init(_ kind: Kind, text: String) {
        self.text = text
        identity = text
        self.kind = kind
    }

    /// True when the source reads standard input, which only one source of a composition can do.
    package var readsStandardInput: Bool {
        switch kind {
        case .y4m(let path, _), .raw(let path, _), .picture(let path, _, _): path == "-"
        case .camera, .pattern, .movie, .stream: false
        }
    }

    private static func kind(_ query: OptionQuery, _ text: String) throws(UsageError) -> Kind {
        let name = query.name
        if name.isEmpty { throw UsageError("a source is missing: \(kinds)") }
        if name.hasPrefix("pattern:") { return try pattern(query, text) }
        if name.hasPrefix("camera:") || isDeviceNode(name) { return try camera(query, text) }
        if name.hasPrefix("-"), name != "-" {
            throw UsageError("a source is missing before the option \(name)")
        }
        return try SourceFileKind(query, text).kind(query, text)
    }

    /// The options of a camera, except its adjustments and controls.
    static let cameraOptions = ["preset", "size", "fps", "limit", "paused", "format", "color-space", "rotate"]

    /// True for paths below `/dev`, except standard input, file descriptors and shared memory.
    private static func isDeviceNode(_ path: String) -> Bool {
        path.hasPrefix("/dev/") && !["/dev/stdin", "/dev/fd/", "/dev/shm/"].contains(where: path.hasPrefix)
    }

    private static func pattern(_ query: OptionQuery, _ text: String) throws(UsageError) -> Kind {
        let name = String(query.name.dropFirst("pattern:".count))
        let pattern: Pattern
        do throws(UsageError) { pattern = try known(name, as: "pattern") } catch { throw error.about(text) }
        try query.allow("size", "fps", "seed", "format", for: "a pattern")
        var options = PatternOptions()
        if let size = try query.size() { options.size = size }
        if let rate = try query.frameRate() { options.frameRate = rate }
        options.seed = try query.number("seed", in: 0...1_000_000) ?? 0
        options.format = try query.pixelFormat(among: [.i420, .nv12]) ?? .i420
        return .pattern(pattern, options)
    }

    private static func camera(_ query: OptionQuery, _ text: String) throws(UsageError) -> Kind {
        guard let selector = CameraSelector(query.name) else {
            throw UsageError(
                "\(text): the camera is missing: write camera:0, camera:first, camera:front, a part of its name as in camera:C920, or its bus path; see `pip-compose devices`"
            )
        }
        try query.allow(cameraOptions + ["control."] + CameraAdjustments.keys, for: "a camera")
        var wish = CameraWish()
        wish.preset = try query.choice("preset")
        wish.size = try query.size(allowsOdd: true)
        wish.frameRate = try query.frameRate()
        wish.rateLimit = try query.frameRate("limit")
        wish.isPaused = try query.flag("paused") ?? false
        wish.format = try query.read("format") { value throws(UsageError) in try deviceFormat(value) }
        wish.colorSpace = try query.choice("color-space")
        wish.rotation =
            try query.read("rotate") { value throws(UsageError) in
                if let rotation = CameraRotation(value) { return rotation }
                throw UsageError(
                    "rotate=\(value): pictures are turned by 0, 90, 180 or 270 degrees, clockwise; rotate=mounting turns them as the camera is mounted, rotate=device as the device is held"
                )
            } ?? .mounting
        for key in CameraAdjustments.keys {
            _ = try query.read(key) { value throws(UsageError) in try wish.adjustments.take(key, value) }
        }
        for (name, value) in query.values(withPrefix: "control.") {
            guard let value = Int(value), !name.isEmpty else {
                throw UsageError(
                    "\(text): control.\(name)=\(value) is not a control with a whole number, as in "
                        + "control.brightness=10")
            }
            wish.controls.append((name, value))
        }
        return .camera(selector, wish)
    }

    /// The error for an address with an unknown protocol or without a host; nil when the text is not an address.
    private static func foreignProtocol(_ text: String) -> UsageError? {
        guard let mark = text.firstRange(of: "://"), mark.lowerBound > text.startIndex,
            text[..<mark.lowerBound].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        let (scheme, shown) = (text[..<mark.lowerBound].lowercased(), SourceAddress.hiding(in: text))
        let known = SourceAddress.protocols.map(\.scheme)
        if known.contains(scheme) { return UsageError("\(shown): \(SourceAddress.missingHost(scheme))") }
        return UsageError(
            "\(shown): there is no protocol \(scheme) for sources\(NearestName.hint(for: scheme, among: known))")
    }

    /// A sentence that lists the kinds of sources.
    package static let kinds =
        "a source is a camera (/dev/video0, camera:0, camera:C920), a pattern (pattern:scene), a file (clip.mp4, clip.y4m, photo.png, "
        + "photo.jpg, anim.gif, photos/, raw.nv12?size=1280x720) or a stream (rtsp://…, srt://…, https://…)"
}

/// Reads a camera's pixel format: a name such as `mjpeg`, or V4L2's code of three or four characters in capitals.
package func deviceFormat(_ name: String) throws(UsageError) -> FourCC {
    let names = CameraWish.formatNames
    if names.contains(name.lowercased()) { return CameraWish.format(named: name) }
    let isCode = (3...4).contains(name.utf8.count) && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    if isCode, name == name.uppercased() { return FourCC(name) }
    throw UsageError(
        "there is no camera format \(name)\(NearestName.hint(for: name, among: names)) (or a V4L2 code in capitals, such as YUYV)"
    )
}
