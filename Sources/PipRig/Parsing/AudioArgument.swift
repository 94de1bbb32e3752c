package import PipCompose

/// A source of sound as the user typed it: `hw:CARD=C920,DEV=0,gain=-6dB`, `pulse`, `music.wav,loop`, `camera:main`.
///
/// The source comes first, then, after commas, its options; ALSA's names have commas, too.
package struct AudioArgument: Sendable, Equatable {
    /// The source that it names.
    package enum Kind: Sendable, Equatable {
        case alsa(String)
        /// Nil for the user's default source.
        case pulse(String?)
        case file(String, loops: Bool)
        case tone(Double)
        case beep
        case silence
        /// The microphone in a camera's housing.
        case camera(PictureTarget)
        /// The sound of a movie or a stream that is shown.
        case movie(PictureTarget)
    }

    package let text: String
    package let kind: Kind
    /// The name by which outputs ask for it.
    package let name: String
    package let gain: Decibels
    package let balance: Float
    package let highPass: Double?
    package let isMuted: Bool

    private static let options = ["gain", "name", "high-pass", "balance", "mute", "loop"]

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
            let loops = try Self.flag("loop", values)
            kind = try Self.kind(source, loops: loops)
            if loops, case .file = kind {} else if loops { throw UsageError("loop is for files") }
        } catch { throw error.about(text) }
        name = values["name"] ?? source
    }

    /// True for a key in lower case: ALSA's are in upper case.
    private static func isOption(_ key: String) -> Bool {
        key.contains { $0.isLetter } && key == key.lowercased() && !key.contains(":") && !key.contains(".")
    }

    private static func flag(_ key: String, _ values: [String: String]) throws(UsageError) -> Bool {
        switch values[key] {
        case nil, "off": return false
        case "on": return true
        case let value?: throw UsageError("\(key) is \(value), but must be on or off")
        }
    }

    private static func kind(_ source: String, loops: Bool) throws(UsageError) -> Kind {
        let halves = source.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let rest = halves.count == 2 ? halves[1] : nil
        switch halves[0].lowercased() {
        case "": throw UsageError("a source of sound is missing: \(kinds)")
        case "alsa":
            guard let rest, !rest.isEmpty else {
                throw UsageError("which microphone? `pip-compose devices --audio` lists them")
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
                throw UsageError("whose microphone? Write camera:main, camera:inset, camera:inset2 …")
            }
            return .camera(target)
        case "movie", "stream":
            guard let target = picture(rest) else {
                throw UsageError("the sound of which picture? Write movie:main, stream:inset, movie:inset2 …")
            }
            return .movie(target)
        default:
            if fileEnding(source).lowercased() == "wav" { return .file(source, loops: loops) }
            return .alsa(source)
        }
    }

    /// The picture that a source belongs to; nil for none.
    private static func picture(_ text: String?) -> PictureTarget? {
        guard let text, let target = try? PictureTarget(text), target != .output else { return nil }
        return target
    }

    /// One line that says what a source of sound can be.
    package static let kinds =
        "a source of sound is a microphone by its name (hw:1,0, hw:CARD=C920,DEV=0, C920), pulse, pulse:NAME, "
        + "camera:main, movie:main, stream:inset, a file (music.wav), tone:440, beep or silence"
}
