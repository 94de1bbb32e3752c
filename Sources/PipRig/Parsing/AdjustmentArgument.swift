package import PipCompose

/// The text syntax of a camera's adjustments: `exposure=1/50s`, `focus=auto`.
///
/// A source's options, the key `controls` of a configuration and `--camera` share this syntax.
extension CameraAdjustments {
    /// The keys of all adjustments.
    package static let keys = [
        "exposure", "iso", "gain", "bias", "metering", "focus", "white-balance", "zoom", "power-line", "hdr",
        "stabilization", "torch",
    ]

    /// True if a key names an adjustment, rather than a driver's control.
    ///
    /// `exposure` with a bare number is a driver's control.
    package static func isMeant(_ key: String, _ value: String) -> Bool {
        keys.contains(key) && (key != "exposure" || Int(value) == nil)
    }

    /// Sets an adjustment from its key and value.
    ///
    /// - Throws: ``UsageError`` for an unknown key, for a value that the key does not take, and for `iso` beside
    ///   `gain`.
    package mutating func take(_ key: String, _ value: String) throws(UsageError) {
        let word = value.lowercased()
        switch key {
        case "exposure":
            exposure = Self.mode(word, [.continuous, .once, .locked])
            if exposure == nil { exposure = .time(try Self.exposureTime(word)) }
        case "iso", "gain":
            guard sensitivity == nil else { throw UsageError("iso and gain exclude each other: give one") }
            sensitivity = try Self.sensitivity(word, key)
        case "bias": bias = try Self.number(word, key, "a number of EV from -100, as in bias=-0.7", least: -100)
        case "metering": metering = try choice(word, named: key)
        case "focus":
            focus = Self.mode(word, [.continuous, .once, .locked])
            if focus == nil {
                focus = .position(try Self.number(word, key, "auto, once, locked, or 0 (near) to 1 (far)", least: 0))
            }
        case "white-balance":
            whiteBalance = Self.mode(word, [.continuous, .once, .locked])
            if whiteBalance == nil { whiteBalance = try Self.whiteBalance(word) }
        case "zoom": zoom = try Self.number(word, key, "a factor from 1, as in zoom=2", least: 1)
        case "power-line": powerLine = try choice(word, named: key)
        case "hdr": hasWideDynamicRange = try onOff(word, named: key)
        case "stabilization": isStabilized = try onOff(word, named: key)
        case "torch":
            if word == "auto" {
                torch = .automatic
            } else if let isOn = try? onOff(word, named: key) {
                torch = isOn ? .on : .off
            } else {
                let form = "on, off, auto, or a share of the full light, 0 to 1, as in torch=0.5"
                torch = .level(try Self.number(word, key, form, least: 0))
            }
        default: throw NearestName.unknown("adjustment", key, among: Self.keys)
        }
    }

    /// The adjustments that are set, as keys and values that ``take(_:_:)`` reads.
    package var words: [(key: String, value: String)] {
        var words: [(String, String)] = []
        func add(_ key: String, _ value: String?) {
            if let value { words.append((key, value)) }
        }
        add(
            "exposure",
            Self.word(exposure, [.continuous, .once, .locked]) { setting in
                if case .time(let time) = setting { Self.text(time) } else { nil }
            })
        switch sensitivity {
        case .continuous?: add("iso", "auto")
        case .iso(let speed)?: add("iso", shortText(speed))
        case .gain(let gain)?: add("gain", "\(gain)")
        case nil: break
        }
        add("bias", bias.map { shortText($0) })
        add("metering", metering?.rawValue)
        add(
            "focus",
            Self.word(focus, [.continuous, .once, .locked]) { setting in
                if case .position(let position) = setting { shortText(position) } else { nil }
            })
        add(
            "white-balance",
            Self.word(whiteBalance, [.continuous, .once, .locked]) { setting in
                switch setting {
                case .temperature(let kelvins): "\(kelvins)K"
                case .gains(let red, let blue): "\(red),\(blue)"
                default: nil
                }
            })
        add("zoom", zoom.map { shortText($0) })
        add("power-line", powerLine?.rawValue)
        add("hdr", hasWideDynamicRange.map { $0 ? "on" : "off" })
        add("stabilization", isStabilized.map { $0 ? "on" : "off" })
        switch torch {
        case .on?: add("torch", "on")
        case .off?: add("torch", "off")
        case .level(let level)?: add("torch", shortText(level))
        case .automatic?: add("torch", "auto")
        case nil: break
        }
        return words
    }

    // MARK: Values

    /// The mode that a word such as `auto` names; nil for a value such as `1/50s`.
    ///
    /// `modes` are the modes for `auto`, `once` and `locked`, in this order.
    private static func mode<Setting>(_ word: String, _ modes: [Setting]) -> Setting? {
        let index = ["auto": 0, "once": 1, "locked": 2, "manual": 2][word]
        return index.map { modes[$0] }
    }

    /// The word for a mode, such as `auto`, or the text of a value; nil for an adjustment that is not set.
    private static func word<Setting: Equatable>(
        _ setting: Setting?, _ modes: [Setting], _ text: (Setting) -> String?
    ) -> String? {
        guard let setting else { return nil }
        return modes.firstIndex(of: setting).map { ["auto", "once", "locked"][$0] } ?? text(setting)
    }

    private static func sensitivity(_ word: String, _ key: String) throws(UsageError) -> Sensitivity {
        if word == "auto" { return .continuous }
        if key == "iso" { return .iso(try number(word, key, "a speed from 1, as in iso=200, or auto", least: 1)) }
        guard let gain = Int(word) else {
            throw UsageError("gain is \(word), but must be a whole number in the driver's units, or auto")
        }
        return .gain(gain)
    }

    /// Reads a shutter time as `1/50s` or `1/50`, or as a duration such as `20ms`.
    private static func exposureTime(_ word: String) throws(UsageError) -> Duration {
        let mistake = UsageError(
            "exposure is \(word), but must be auto, once, locked, or a time as in 1/50s and 20ms, 1/1000000s at least")
        if word.hasPrefix("1/") {
            let digits = word.dropFirst(2)
            guard let parts = Double(digits.hasSuffix("s") ? digits.dropLast() : digits), parts.isFinite, parts > 0,
                parts <= 1_000_000
            else { throw mistake }
            return .seconds(1 / parts)
        }
        guard let time = try? Duration(argument: word), time > .zero else { throw mistake }
        return time
    }

    private static func whiteBalance(_ word: String) throws(UsageError) -> WhiteBalance {
        let gains = word.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        if gains.count == 2, let red = gains[0], let blue = gains[1] { return .gains(red: red, blue: blue) }
        guard let kelvins = Int(word.hasSuffix("k") ? word.dropLast() : word[...]), (1...100_000).contains(kelvins)
        else {
            throw UsageError(
                "white-balance is \(word), but must be auto, once, locked, a temperature up to "
                    + "100000K as in 4500K, or gains RED,BLUE")
        }
        return .temperature(kelvins)
    }

    private static func number(
        _ word: String, _ key: String, _ form: String, least: Double
    ) throws(UsageError) -> Double {
        guard let number = Double(word), number.isFinite, number >= least, abs(number) <= 1e9 else {
            throw UsageError("\(key) is \(word), but must be \(form)")
        }
        return number
    }

    private static func text(_ time: Duration) -> String {
        let seconds = time / .seconds(1)
        let parts = (1 / seconds).rounded()
        if seconds < 1, abs(1 / seconds - parts) < 1e-6 * parts { return "1/\(Int(parts))s" }
        return "\(shortText(seconds))s"
    }
}

/// `--camera TARGET:KEY=VALUE:…`: options of a camera, such as its exposure.
package struct CameraArgument: Sendable, Equatable {
    package let text: String
    package let target: PictureTarget
    /// The options as `KEY=VALUE`, the syntax of a source's query.
    private let options: [String]

    package init(_ text: String) throws(UsageError) {
        self.text = text
        let (target, rest) = try PictureTarget.split(text, example: "main:exposure=1/50s:focus=auto")
        guard target != .output else { throw UsageError("\(text): output is not a camera; write main or an inset") }
        self.target = target
        options = rest.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard options.allSatisfy({ $0.contains("=") }) else {
            throw UsageError("\(text): write TARGET:KEY=VALUE:KEY=VALUE, as in main:exposure=1/50s:focus=auto")
        }
    }

    /// Returns the source with these options added.
    ///
    /// - Throws: ``UsageError`` for a source that is not a camera, and for an option that is unknown, invalid or given
    ///   twice.
    package func applied(to source: SourceArgument) throws(UsageError) -> SourceArgument {
        guard case .camera = source.kind else { throw UsageError("\(text): \(source.text) is not a camera") }
        let sign = source.text.contains("?") ? "&" : "?"
        return try SourceArgument(source.text + sign + options.joined(separator: "&"))
    }
}
