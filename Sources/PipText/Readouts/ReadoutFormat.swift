internal import PipFrames

/// A text with places for values: `{speed:%.0f} km/h`.
///
/// Two braces stand for one: `{{` and `}}`.
package struct ReadoutFormat: Sendable, Hashable {
    private enum Part: Hashable {
        case text(String)
        case value(String, NumberFormat)
        /// The seconds since the value of this name came.
        case age(String, NumberFormat)
    }

    /// The longest name of a value, in characters.
    private static let longestName = 64
    /// The text in place of a value that is not known.
    private static let unknown = "–"
    /// The ending of a name that stands for the age of a value.
    private static let age = ".age"

    private var parts: [Part] = []

    /// The names of the values, without repetitions.
    package var names: Set<String> {
        Set(
            parts.compactMap { part in
                switch part {
                case .text: nil
                case .value(let name, _), .age(let name, _): name
                }
            })
    }

    /// A mistake of a format, as the end of a sentence.
    package struct Mistake: Error, Hashable {
        package let description: String
    }

    /// Reads a format.
    ///
    /// - Throws: The first ``Mistake``.
    package init(_ text: String) throws(Mistake) {
        var (rest, plain) = (text[...], "")
        while let character = rest.popFirst() {
            guard character == "{" || character == "}" else {
                plain.append(character)
                continue
            }
            if rest.first == character {
                plain.append(character)
                rest = rest.dropFirst()
                continue
            }
            guard character == "{", let end = rest.firstIndex(of: "}") else {
                throw Mistake(description: "a brace is alone: write {speed} for a value, or {{ and }} for braces")
            }
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(try Self.part(rest[..<end]))
            rest = rest[rest.index(after: end)...]
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
    }

    private static func part(_ text: Substring) throws(Mistake) -> Part {
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(halves[0])
        guard isName(name) else {
            throw Mistake(
                description:
                    "{\(text)} names no value: write a name of letters, digits, _, - and full stops, as in {speed}")
        }
        var format = NumberFormat.usual
        if halves.count == 2 {
            guard let given = NumberFormat(halves[1]) else {
                throw Mistake(
                    description:
                        "\(halves[1]) is not the format of a number: write %d, %.1f or %03d, as in {speed:%.0f}")
            }
            format = given
        }
        return name.hasSuffix(Self.age) ? .age(String(name.dropLast(age.count)), format) : .value(name, format)
    }

    /// True for a text that may name a value.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.count <= longestName && text.first != "." && text != age
            && text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
    }

    /// Fills in values.
    ///
    /// A dash stands for a value that is not known, and for one that is older than it may be. The age of the oldest of
    /// those stands once behind the text.
    ///
    /// - Parameters:
    ///   - readings: The values.
    ///   - now: The present time.
    /// - Returns: The text, and the time after which it changes although no value does; nil if it stays.
    func text(of readings: Telemetry.Readings, at now: Timestamp) -> (text: String, due: Timestamp?) {
        var (text, dues, silence) = ("", [Timestamp](), Duration?.none)
        for part in parts {
            switch part {
            case .text(let plain): text += plain
            case .value(let name, let format):
                let reading = readings.all[name]
                let age = reading?.overdue(at: now)
                silence = [silence, age].compactMap(\.self).max()
                text += age == nil ? reading.map { Self.text(of: $0.value, format) } ?? Self.unknown : Self.unknown
                if let reading, let validity = reading.validity {
                    dues.append(Self.change(after: validity, of: reading, at: now))
                }
            case .age(let name, let format):
                guard let reading = readings.all[name] else {
                    text += Self.unknown
                    continue
                }
                text += format.text(reading.time.duration(to: now).inSeconds.rounded(.down))
                dues.append(Self.change(after: .zero, of: reading, at: now))
            }
        }
        return (text + Self.text(ofSilence: silence), dues.min())
    }

    /// The time of the next whole second of a reading's age, but not before its validity has ended.
    private static func change(after validity: Duration, of reading: Telemetry.Reading, at now: Timestamp) -> Timestamp
    {
        let age = max(reading.time.duration(to: now), .zero)
        // One nanosecond later the reading is older than its validity.
        guard age > validity else { return reading.time.advanced(by: validity + .nanoseconds(1)) }
        return reading.time.advanced(by: .seconds(age.components.seconds + 1))
    }

    private static func text(of value: Telemetry.Value, _ format: NumberFormat) -> String {
        switch value {
        case .number(let number): format.text(number)
        case .text(let text): text
        }
    }

    /// The remark about values that have not come for a time; empty for none, and after a hundred minutes.
    private static func text(ofSilence silence: Duration?) -> String {
        guard let seconds = silence?.components.seconds else { return "" }
        switch seconds {
        case ..<100: return " (silent for \(seconds) s)"
        case ..<6000: return " (silent for \(seconds / 60) min)"
        default: return ""
        }
    }
}
