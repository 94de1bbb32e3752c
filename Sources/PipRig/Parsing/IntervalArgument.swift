package import PipCompose

#if Media
internal import PipMedia
#endif

/// The interval at which an output takes pictures: `every=10s&when=light>0.1`.
package struct IntervalArgument: Sendable, Equatable {
    /// The time from one picture to the next.
    package let every: Duration
    /// The condition that a picture must meet; nil takes each picture.
    package let condition: PictureCondition?

    /// The options of outputs of pictures.
    static let options = ["every", "when"]

    /// The longest interval.
    private static let longest = Duration.seconds(365 * 86_400)

    /// Reads the interval of an output of pictures; nil without the option `every`.
    ///
    /// - Throws: ``UsageError`` for a mistake in the options, and for `every` beside `fps`.
    init?(_ query: OptionQuery, _ text: String) throws(UsageError) {
        let every = try query.read("every", Self.interval)
        condition = try query.read("when", PictureCondition.init)
        guard let every else {
            if condition != nil { throw UsageError("\(text): when needs an interval, as in &every=10s") }
            return nil
        }
        if query["fps"] != nil { throw UsageError("\(text): every and fps exclude each other: give one") }
        self.every = every
    }

    /// Reads an interval: a time up to 365 days, such as `10s`.
    static func interval(_ text: String) throws(UsageError) -> Duration {
        let every = try Duration(argument: text)
        guard every <= longest else {
            throw UsageError("every is \(text), but must be at most 8760h, which are 365 days")
        }
        return every
    }
}

extension PictureCondition {
    /// Reads a condition: `light>0.1` or `motion>0.02`, with a value from 0 to 1.
    init(argument text: String) throws(UsageError) {
        let parts = text.split(separator: ">", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let value = Double(parts[1]), (0...1).contains(value),
            ["light", "motion"].contains(parts[0])
        else {
            throw UsageError(
                "when is \(valueText(text)), but must be light>0.1 or motion>0.02, with a number from 0 to 1")
        }
        self = parts[0] == "light" ? .light(above: value) : .motion(above: value)
    }
}

#if Media
extension TimeLapse {
    /// The options of a time-lapse.
    static let options = ["every", "speed-up", "when"]

    /// Reads the options of a time-lapse, which plays at the rate `fps`, or at 25 frames a second.
    ///
    /// Nil without the options `every` and `speed-up`.
    ///
    /// - Throws: ``UsageError`` for a mistake in the options, and for options that a time-lapse cannot have.
    init?(_ query: OptionQuery, _ text: String) throws(UsageError) {
        let every = try query.read("every", IntervalArgument.interval)
        let speedUp = try query.number("speed-up", in: 1...Double(1_000_000_000))
        let condition = try query.read("when", PictureCondition.init)
        guard every != nil || speedUp != nil else {
            if condition != nil { throw UsageError("\(text): when needs an interval, as in &every=10s") }
            return nil
        }
        if every != nil, speedUp != nil {
            throw UsageError("\(text): every and speed-up exclude each other: give one")
        }
        if query["event"] != nil { throw UsageError("\(text): a time-lapse has no clips; leave event out") }
        for sound in ["audio", "audio-bitrate"] where ![nil, "off"].contains(query[sound]) {
            throw UsageError("\(text): a time-lapse has no sound; leave \(sound) out")
        }
        let rate = try query.frameRate() ?? FrameRate(25)
        if let every {
            self.init(every: every, frameRate: rate, when: condition)
        } else {
            self.init(speedUp: speedUp ?? 1, frameRate: rate, when: condition)
        }
        if let mistake { throw UsageError("\(text): \(mistake)") }
    }
}
#endif
