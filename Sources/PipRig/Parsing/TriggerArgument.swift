package import PipCompose
internal import PipFrames

/// `--on CAUSE[,option]…`: an action that a cause starts while a composition runs.
///
/// ```
/// lost                    a camera or a stream is lost; lost:main for one picture
/// pressure:serious        the machine's pressure reaches a level
/// sound>-20dB             the mix is louder than a level
/// motion:main>0.05        more than a share of a picture moves
/// line                    a line arrives on standard input; its text is the reason
/// speed>130               a value of a source of values is above or below a limit
/// key, gpio, blow         a device of the machine; see `InputCause`
/// ```
///
/// The options are `do`, which names an ``Action`` and may be repeated, `for`, `every` and `name`, and those of actions
/// and of devices.
package struct TriggerArgument: Sendable, Equatable {
    /// A condition of the running composition, or an event.
    package enum Cause: Sendable, Equatable {
        /// A picture's source is lost; nil means any source.
        case lost(picture: String?)
        case pressure(PressureLevel)
        /// The RMS level of the mix, in dB.
        case sound(above: Double)
        /// The share of a picture that moves, 0…1.
        case motion(picture: String, above: Double)
        case line
        /// A value is beyond a limit.
        case value(ValueLimit)
        /// A device of the machine.
        case input(InputCause)

        /// True if the cause is over at once.
        var isEvent: Bool {
            switch self {
            case .lost, .pressure, .sound, .motion, .value: false
            case .line: true
            case .input(let cause): cause.isEvent
            }
        }

        /// The time between two looks at the condition; nil for causes that are told as events.
        var interval: Duration? {
            switch self {
            case .sound, .motion, .value: .milliseconds(66)
            case .lost, .pressure: .milliseconds(250)
            case .line, .input: nil
            }
        }
    }

    package let cause: Cause
    /// The effects of the trigger, in the order in which they happen.
    package let actions: [Action]
    /// The name of the moments that the trigger marks, and of the trigger in messages.
    package let name: String
    /// The time for which the condition must hold before the trigger fires.
    package let hold: Duration
    /// The least time between two firings.
    package let distance: Duration
    /// The text that the user typed.
    package let text: String
    /// The text for messages and configurations, without secrets; references such as `${KEY}` stay.
    package var shown: String { Self.shown(text) }

    /// The text of a trigger without secrets, also of one with a mistake; references such as `${KEY}` stay.
    package static func shown(_ text: String) -> String { TriggerText.shown(text) }

    static let options = ["do", "for", "every", "name"] + Action.options + InputCause.options

    package init(_ text: String) throws(UsageError) {
        self.text = text
        let parts = try TriggerText(text, known: Self.options)
        var (values, actions): ([String: String], [String]) = ([:], [])
        for option in parts.options {
            if option.name == "do" { actions.append(option.value) } else { values[option.name] = option.value }
        }
        let (cause, word) = try Self.cause(parts.cause, values)
        try InputCause.check(values.keys, for: word)
        self.cause = cause
        name = values["name"] ?? word
        self.actions = try Action.all(actions.isEmpty ? ["clip"] : actions, values)
        hold = try values["for"].map { value throws(UsageError) in try Duration(argument: value) } ?? .zero
        distance = try values["every"].map { value throws(UsageError) in try Duration(argument: value) } ?? .seconds(1)
        if cause.isEvent, hold > .zero {
            throw UsageError("\(shown): \(word) is an event, so it cannot hold for a time")
        }
    }

    private static func cause(
        _ text: String, _ values: [String: String]
    ) throws(UsageError) -> (Cause, word: String) {
        let word = String(text.prefix { $0.isLetter })
        let rest = text.dropFirst(word.count).trimmed
        switch word {
        case "lost" where rest.isEmpty: return (.lost(picture: nil), word)
        case "lost" where rest.hasPrefix(":") && rest.count > 1:
            return (.lost(picture: String(rest.dropFirst())), word)
        case "pressure" where rest.hasPrefix(":"):
            let level = try PressureLevel(argument: String(rest.dropFirst()))
            guard level > .nominal else {
                throw UsageError("\(text): the pressure is never below nominal; name a level above")
            }
            return (.pressure(level), word)
        case "sound" where rest.hasPrefix(">"): return (.sound(above: try decibels(rest.dropFirst(), text)), word)
        case "motion" where rest.hasPrefix(":"):
            let halves = rest.dropFirst().split(separator: ">", omittingEmptySubsequences: false)
            guard halves.count == 2, !halves[0].isEmpty, let share = Double(halves[1].trimmed), share > 0,
                share < 1
            else {
                throw UsageError(
                    "\(valueText(text)) must name a picture and the share of it that moves, from 0 to 1: motion:main>0.05"
                )
            }
            return (.motion(picture: halves[0].trimmed, above: share), word)
        case "line" where rest.isEmpty: return (.line, word)
        case _ where InputCause.words.contains(word): return (.input(try InputCause(text, values)), word)
        default:
            if !words.contains(word), let limit = ValueLimit(text) { return (.value(limit), limit.name) }
            throw UsageError("\(valueText(text)) is no cause of a trigger: \(causes)")
        }
    }

    private static let words = ["lost", "pressure", "sound", "motion", "line"]
    private static let causes =
        "write lost, lost:main, pressure:serious, sound>-20dB, motion:main>0.05, line, speed>130, "
        + "key:/dev/input/event3:KEY_F13, gpio:gpiochip0:17 or blow>2.5g"

    private static func decibels(_ text: Substring, _ whole: String) throws(UsageError) -> Double {
        var number = text.trimmed
        if number.lowercased().hasSuffix("db") { number = number.dropLast(2).trimmed }
        guard let level = Double(number), (-100...0).contains(level) else {
            throw UsageError("\(valueText(whole)) must have a level from -100 dB to 0 dB, as in sound>-20dB")
        }
        return level
    }
}
