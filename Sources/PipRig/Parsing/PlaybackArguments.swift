package import PipCompose
package import PipSources

#if Media
internal import PipMedia

/// A parsed movie source: `clip.mp4?loop=true&from=10s&to=1m`.
package struct MovieInput: Sendable, Equatable {
    package let path: String
    package let loops: Bool
    let from: Duration
    private let to: Duration?
    private let frameRate: FrameRate?
    private let alpha: MovieAlpha

    /// - Parameters:
    ///   - query: The path and its options.
    ///   - text: The source as the user typed it.
    /// - Throws: ``UsageError`` for a mistake in the options.
    package init(_ query: OptionQuery, _ text: String) throws(UsageError) {
        try query.allow("format", "loop", "from", "to", "fps", "alpha", for: "a movie")
        path = query.name
        guard path != "-" else {
            throw UsageError("-: a movie cannot be read from standard input; name a file, or pipe Y4M")
        }
        loops = try query.flag("loop") ?? false
        from = try query.time("from") ?? .zero
        to = try query.time("to")
        frameRate = try query.frameRate()
        let meanings: [String: MovieAlpha] = [
            "straight": .straight, "premultiplied": .premultiplied, "ignore": .ignored,
        ]
        alpha =
            try query.read("alpha") { value throws(UsageError) in
                guard let meaning = meanings[value] else {
                    throw UsageError("alpha is \(value), but must be straight, premultiplied or ignore")
                }
                return meaning
            } ?? .automatic
        if let to, to <= from {
            throw UsageError("\(text): \"to\" is \(to), but must be later than the start (\"from\"), \(from)")
        }
    }

    package var producer: any FrameProducer {
        MovieSource(path, loops: loops, from: from, to: to, frameRate: frameRate, alpha: alpha)
    }
}

/// A parsed stream: `rtsp://camera/live?latency=200ms`, `camera:libcamera:imx219`, `camera:portal`, `gst:videotestsrc`.
package struct StreamInput: Sendable, Equatable {
    private enum Target: Equatable {
        case address(String, latency: Duration?, StreamSource.Transport, FrameRate?)
        case elements(String)
        case libcamera(String, PixelSize, LibcameraFormat, FrameRate?, CameraAdjustments)
        case portal(String?, PixelSize, FrameRate?)
    }

    /// The source's text for messages, with passwords masked.
    package let shown: String
    private let target: Target

    /// Parses a source; nil when the text is not a stream.
    ///
    /// - Throws: ``UsageError`` for a mistake in the options.
    package init?(_ text: String) throws(UsageError) {
        let found =
            if text.hasPrefix("gst:") {
                try Self.elements(String(text.dropFirst("gst:".count)))
            } else if text.hasPrefix(Self.libcamera) {
                try Self.libcamera(text)
            } else if Self.isPortal(text) {
                try Self.portal(text)
            } else {
                try Self.address(text)
            }
        guard let found else { return nil }
        (shown, target) = found
    }

    private static func elements(_ text: String) throws(UsageError) -> (String, Target)? {
        guard !text.allSatisfy(\.isWhitespace) else {
            throw UsageError("gst: elements are missing: write gst:videotestsrc pattern=ball, as for gst-launch-1.0")
        }
        return ("gst:\(SourceElements(text).shown)", .elements(text))
    }

    private static func libcamera(_ text: String) throws(UsageError) -> (String, Target)? {
        let query = try OptionQuery(text)
        let name = String(query.name.dropFirst(libcamera.count))
        guard !name.isEmpty else {
            throw UsageError(
                "\(text): a camera's name is missing: write a part of it, as in camera:libcamera:imx219, or camera:libcamera:first; see `pip-compose devices`"
            )
        }
        try query.allow(["size", "fps", "format"] + CameraAdjustments.keys, for: "a libcamera camera")
        let format =
            try query.read("format") { value throws(UsageError) in
                if let format = LibcameraFormat(rawValue: value.lowercased()) { return format }
                let names = LibcameraFormat.allCases.map(\.rawValue).joined(separator: " or ")
                throw UsageError("format is \(value), but libcamera gives \(names)")
            } ?? .raw
        var adjustments = CameraAdjustments()
        for key in CameraAdjustments.keys {
            _ = try query.read(key) { value throws(UsageError) in try adjustments.take(key, value) }
        }
        return (text, .libcamera(name, try query.size() ?? .hd720, format, try query.frameRate(), adjustments))
    }

    private static func portal(_ text: String) throws(UsageError) -> (String, Target)? {
        let query = try OptionQuery(text)
        let name = query.name == portal ? nil : String(query.name.dropFirst(portal.count + 1))
        guard name?.isEmpty != true else {
            throw UsageError(
                "\(text): a camera's name is missing: write a part of it, as in camera:portal:C920, or camera:portal for the default camera"
            )
        }
        try query.allow("size", "fps", for: "a portal camera")
        return (text, .portal(name, try query.size() ?? .hd720, try query.frameRate()))
    }

    private static func address(_ text: String) throws(UsageError) -> (String, Target)? {
        guard SourceAddress(text) != nil, let (address, options) = SourceAddress.split(try Secrets.filled(in: text))
        else { return nil }
        if let mistake = address.mistake { throw UsageError("\(address.shown): \(mistake)") }
        // Messages quote the query, so it is built from the masked address.
        let query = try OptionQuery("\(address.shown)?\(options)")
        let latency = try query.read("latency") { value throws(UsageError) in
            let latency = try Duration(position: value)
            guard latency <= .seconds(60) else { throw UsageError("latency is \(value), but must be at most 60s") }
            return latency
        }
        let transport: StreamSource.Transport = try query.choice("transport") ?? .tcp
        return (address.shown, .address(address.text, latency: latency, transport, try query.frameRate()))
    }

    package var producer: any FrameProducer {
        switch target {
        case .address(let address, let latency, let transport, let rate):
            StreamSource(address, latency: latency, transport: transport, frameRate: rate)
        case .elements(let elements): StreamSource(elements: elements)
        case .libcamera(let name, let size, let format, let rate, let adjustments):
            LibcameraSource(name, size: size, frameRate: rate, format: format, adjustments: adjustments)
        case .portal(let name, let size, let rate): PortalCameraSource(name, size: size, frameRate: rate)
        }
    }
}
#else
/// Refuses movies in a program that was built without media.
package struct MovieInput: Sendable, Equatable {
    package let path: String
    package let loops = false

    package init(_ query: OptionQuery, _ text: String) throws(UsageError) {
        throw UsageError(
            "\(text): \(withoutMedia), or have another program decode: ffmpeg -i \(query.name) -f yuv4mpegpipe - | "
                + "pip-compose --main -")
    }

    package var producer: any FrameProducer { Y4MSource(path) }
}

/// Refuses streams in a program that was built without media.
package struct StreamInput: Sendable, Equatable {
    package let shown: String

    package init?(_ text: String) throws(UsageError) {
        let isOurs =
            text.hasPrefix("gst:") || text.hasPrefix(Self.libcamera) || Self.isPortal(text)
            || SourceAddress(text) != nil
        guard isOurs else { return nil }
        throw UsageError("\(SourceAddress.hiding(in: SourceElements(text).shown)): \(withoutMedia)")
    }

    package var producer: any FrameProducer { Y4MSource(shown) }
}
#endif

extension StreamInput {
    /// The prefix of cameras that are opened through libcamera.
    fileprivate static let libcamera = "camera:libcamera:"
    /// The name of the desktop portal's default camera.
    ///
    /// To select another camera, its name follows after a colon.
    fileprivate static let portal = "camera:portal"

    fileprivate static func isPortal(_ text: String) -> Bool {
        text == portal || ["\(portal):", "\(portal)?"].contains(where: text.hasPrefix)
    }
}

extension MovieInput {
    /// The file name extensions of movies.
    ///
    /// `movie`, as the value of `?format=`, stands for any other file.
    package static let endings = [
        "movie", "mp4", "m4v", "mov", "qt", "mkv", "webm", "ts", "m2ts", "mts", "avi", "mpg", "mpeg", "flv", "3gp",
        "ogv", "wmv", "mxf",
    ]
}

extension SourceAddress {
    /// The options that pip-compose reads from an address.
    ///
    /// All other options belong to the server.
    private static let options = ["latency", "transport", "fps"]

    /// Splits an address from the options that pip-compose reads.
    ///
    /// The query after the last question mark is split off only if pip-compose reads all of its keys.
    ///
    /// - Parameter text: The address with its query.
    /// - Returns: The address, and the options as `key=value&key=value`; nil for a text that is not an address.
    package static func split(_ text: String) -> (address: SourceAddress, options: String)? {
        guard let whole = SourceAddress(text) else { return nil }
        guard let mark = text.lastIndex(of: "?"), let address = SourceAddress(String(text[..<mark])) else {
            return (whole, "")
        }
        let query = text[text.index(after: mark)...]
        let isOurs = query.split(separator: "&").allSatisfy { pair in
            options.contains(String(pair.prefix { $0 != "=" }))
        }
        return isOurs ? (address, String(query)) : (whole, "")
    }
}

extension Duration {
    /// Reads a duration that may be zero.
    init(position text: String) throws(UsageError) {
        self = ["0", "0s"].contains(text) ? .zero : try Duration(argument: text)
    }
}
