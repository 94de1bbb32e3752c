internal import Glibc

/// Seconds since 1970 as a text.
struct ClockText {
    /// The format of `strftime`.
    var format: String
    var zone: ClockZone

    /// The longest text, in bytes.
    private static let capacity = 256

    /// The text of a second; nil when it is longer than 255 bytes.
    ///
    /// Source: POSIX.1-2017, "strftime".
    func text(of second: Int) -> String? {
        var time = time_t(second)
        var parts = unsafe tm()
        switch zone {
        case .local:
            // The machine may have moved, or its settings changed.
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
        // One character more tells an empty text from one that is too long, which both give 0.
        let count = unsafe strftime(&bytes, bytes.count, format + ".", &parts)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<(count - 1)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Texts that include the widest text of all times: all months and weekdays, morning and evening, with one digit
    /// throughout.
    ///
    /// - Parameter digit: The widest digit of the font.
    /// - Returns: The texts.
    func samples(digit: Character) -> [String] {
        // The days are every fourth one of a year that begins on a Monday (2018), at 10 and at 22 o'clock.
        let start = 1_514_764_800
        let days = stride(from: start, to: start + 365 * 86_400, by: 4 * 86_400)
        let times: [Int] = days.flatMap { (day: Int) -> [Int] in [day + 36_000, day + 79_200] }
        return times.compactMap { text(of: $0) }.map { text in
            String(text.map { (character: Character) -> Character in "0"..."9" ~= character ? digit : character })
        }
    }
}
