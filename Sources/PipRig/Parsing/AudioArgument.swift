internal import Glibc
package import PipCompose

/// A parsed source of sound: `hw:CARD=C920,DEV=0,gain=-6dB`, `pulse`, `music.wav,loop`, `camera:main`.
///
/// Options follow the source after commas. The parser takes options from the end, because ALSA's names contain commas,
/// too.
package struct AudioArgument: Sendable, Equatable {
    /// The kind of source, with its device, file or frequency.
    package enum Kind: Sendable, Equatable {
        case alsa(String)
        /// A PulseAudio source of this name; nil for the default source.
        case pulse(String?)
        /// A sound file, of which the part between `from` and `to` is played; a `to` of nil is the end of the file.
        case file(String, loops: Bool, from: Duration = .zero, to: Duration? = nil)
        case tone(Double)
        case beep
        case silence
        /// The microphone in the housing of this picture's camera.
        case camera(PictureTarget)
        /// The sound of a movie or a stream that is the source of this picture.
        case movie(PictureTarget)
    }

    package let text: String
    package let kind: Kind
    /// The name by which outputs select the source.
    package let name: String
    package let gain: Decibels
    package let balance: Float
    package let highPass: Double?
    package let isMuted: Bool

    private static let options = ["gain", "name", "high-pass", "balance", "mute", "loop", "from", "to"]

    package init(_ text: String) throws(UsageError) {
        self.text = text
        var items = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var values: [String: String] = [:]
        while items.count > 1, let item = items.last {
            let halves = item.split(separator: "=", maxSplits: 1).map(String.init)
            guard let key = halves.first, Self.options.contains(key) || Self.isOption(key) else { break }
            guard Self.options.contains(key) else {
                throw UsageError(
                    "\(text): a source of sound has no option \(key)\(NearestName.hint(for: key, among: Self.options))")
            }
            guard values[key] == nil else { throw UsageError("\(text): \(key) is given twice") }
            values[key] = halves.count == 2 ? halves[1] : "on"
            items.removeLast()
        }
        let source = items.joined(separator: ",")
        do throws(UsageError) {
            gain =
                try values["gain"].map { value throws(UsageError) in
                    let digits = value.lowercased().hasSuffix("db") ? String(value.dropLast(2)) : value
                    return Decibels(try number(digits, in: -100...40, named: "gain"))
                } ?? 0
            balance =
                try values["balance"].map { value throws(UsageError) in
                    try number(value, in: -1...1, named: "balance")
                } ?? 0
            highPass = try values["high-pass"].map { value throws(UsageError) in
                try number(value, in: 10...2000, named: "high-pass")
            }
            isMuted = try Self.flag("mute", values)
            kind = try Self.kind(source, values)
        } catch { throw error.about(text) }
        name = values["name"] ?? source
    }

    /// True if a key looks like an option: options are in lower case, ALSA's keys in upper case.
    private static func isOption(_ key: String) -> Bool {
        key.contains { $0.isLetter } && key == key.lowercased() && !key.contains(":") && !key.contains(".")
    }

    private static func flag(_ key: String, _ values: [String: String]) throws(UsageError) -> Bool {
        guard let value = values[key] else { return false }
        return try onOff(value, named: key)
    }

    private static func kind(_ source: String, _ values: [String: String]) throws(UsageError) -> Kind {
        let kind = try kind(source)
        guard case .file(let path, _, _, _) = kind else {
            for option in ["loop", "from", "to"] where values[option] != nil {
                throw UsageError("\(option) is for sound files only")
            }
            return kind
        }
        func time(_ key: String) throws(UsageError) -> Duration? {
            try values[key].map { text throws(UsageError) in try Duration(position: text) }
        }
        let (from, to) = (try time("from") ?? .zero, try time("to"))
        if let to, to <= from {
            throw UsageError("\"to\" is \(to), but must be later than the start (\"from\"), \(from)")
        }
        return .file(path, loops: try flag("loop", values), from: from, to: to)
    }

    private static func kind(_ source: String) throws(UsageError) -> Kind {
        let halves = source.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let rest = halves.count == 2 ? halves[1] : nil
        switch halves[0].lowercased() {
        case "": throw UsageError("a source of sound is missing: \(kinds)")
        case "alsa":
            guard let rest, !rest.isEmpty else {
                throw UsageError("alsa: a microphone's name is missing: `pip-compose devices --audio` lists the names")
            }
            return .alsa(rest)
        case "pulse": return .pulse(rest.flatMap { $0.isEmpty ? nil : $0 })
        case "tone":
            guard let rest else { return .tone(440) }
            return .tone(try number(rest, in: 10...20_000, named: "tone"))
        case "beep" where rest == nil: return .beep
        case "silence" where rest == nil: return .silence
        case "camera":
            guard let target = picture(rest) else {
                throw UsageError("camera: a picture's name is missing: write camera:main, camera:inset …")
            }
            return .camera(target)
        case "movie", "stream":
            guard let target = picture(rest) else {
                throw UsageError("\(halves[0]): a picture's name is missing: write movie:main, stream:inset …")
            }
            return .movie(target)
        default:
            return source == "-" || endings.contains(fileEnding(source).lowercased()) || isFile(source)
                ? .file(source, loops: false) : .alsa(source)
        }
    }

    /// File name extensions that mean a sound file, even for a path that does not exist.
    private static let endings: Set = [
        "wav", "m4a", "mp3", "flac", "ogg", "oga", "opus", "aac", "mka", "wma", "aiff", "aif", "ac3", "caf", "mp4",
        "mov",
        "mkv", "webm", "ts", "avi",
    ]

    /// True for a name that is probably a path, and not an ALSA microphone: `music.xyz`, `./music`.
    static func mayBeFile(_ name: String) -> Bool {
        name.contains { "./".contains($0) }
    }

    private static func isFile(_ name: String) -> Bool {
        guard mayBeFile(name) else { return false }
        var status = stat()
        return unsafe stat(name, &status) == 0 && [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT)
    }

    /// True when the source is the standard input, which only one source can read.
    package var readsStandardInput: Bool { if case .file("-", _, _, _) = kind { true } else { false } }

    /// Parses the picture to which a source belongs; nil for an invalid name, and for the composed picture.
    private static func picture(_ text: String?) -> PictureTarget? {
        guard let text, let target = try? PictureTarget(text), target != .output else { return nil }
        return target
    }

    /// A sentence that lists the kinds of sources of sound.
    package static let kinds =
        "a source of sound is a microphone by its name (hw:1,0, hw:CARD=C920,DEV=0, C920), pulse, pulse:NAME, "
        + "camera:main, movie:main, stream:inset, a file (music.mp3), tone:440, beep or silence"
}
