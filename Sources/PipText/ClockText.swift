internal import Glibc

/// Formats seconds since 1970 as a text.
struct ClockText {
    /// The format of the text as for `strftime`.
    var format: String
    var zone: ClockZone

    /// The largest size of a text with its terminating zero, in bytes.
    private static let capacity = 256

    /// Formats a second since 1970; nil when the text is longer than 255 bytes, or the second is outside the calendar.
    ///
    /// Source: POSIX.1-2017, "strftime".
    func text(of second: Int) -> String? {
        var time = time_t(second)
        var parts = unsafe tm()
        switch zone {
        case .local:
            // The machine may have moved to another time zone, or its settings may have changed.
            tzset()
            guard unsafe localtime_r(&time, &parts) != nil else { return nil }
        case .utc: guard unsafe gmtime_r(&time, &parts) != nil else { return nil }
        case .offset(let minutes):
            time += time_t(minutes * 60)
            guard unsafe gmtime_r(&time, &parts) != nil else { return nil }
            unsafe parts.tm_gmtoff = minutes * 60
            unsafe parts.tm_zone = nil
        }
        var bytes = [CChar](repeating: 0, count: Self.capacity + 1)
        // The added full stop distinguishes an empty text from a text that is too long: `strftime` returns 0 for both.
        let count = unsafe strftime(&bytes, bytes.count, format + ".", &parts)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<(count - 1)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns texts of which one is at least as wide as the text of any time: all months and weekdays, morning and
    /// evening, with every digit replaced.
    ///
    /// - Parameter digit: The widest digit of the font, which replaces every digit.
    /// - Returns: The sample texts.
    func samples(digit: Character) -> [String] {
        // Every fourth day of 2018, at 10:00 and at 22:00 UTC, combines all weekdays with each month.
        let start = 1_514_764_800
        let days = stride(from: start, to: start + 365 * 86_400, by: 4 * 86_400)
        let times: [Int] = days.flatMap { (day: Int) -> [Int] in [day + 36_000, day + 79_200] }
        return times.compactMap { text(of: $0) }.map { text in
            String(text.map { (character: Character) -> Character in "0"..."9" ~= character ? digit : character })
        }
    }
}
