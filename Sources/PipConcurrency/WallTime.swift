internal import Glibc
package import PipFrames

/// A time of the calendar (`CLOCK_REALTIME`).
///
/// A later time may be smaller than an earlier one, because the machine's clock can be set.
package struct WallTime: Hashable, Sendable {
    /// The time since 1970-01-01 00:00 UTC.
    package let sinceEpoch: Duration

    package init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

    /// The present time of the calendar.
    package static var now: WallTime { WallTime(sinceEpoch: reading(of: CLOCK_REALTIME)) }

    static func reading(of clock: clockid_t) -> Duration {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Creates a time of UTC; nil for numbers that no date has.
    package init?(date: (year: Int, month: Int, day: Int), time: (hour: Int, minute: Int, second: Double)) {
        let ((year, month, day), (hour, minute, second)) = (date, time)
        // 60 is a leap second.
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), second >= 0, second < 61
        else { return nil }
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (CInt(year - 1900), CInt(month - 1), CInt(day))
        unsafe (parts.tm_hour, parts.tm_min) = (CInt(hour), CInt(minute))
        sinceEpoch = .seconds(unsafe timegm(&parts)) + .seconds(second)
    }

    /// Reads a time such as `2026-03-01T17:30:00.250+01:00`; nil for any other text.
    ///
    /// A time without a zone is one of UTC.
    ///
    /// Source: RFC 3339, 5.6 "Internet Date/Time Format".
    package init?(dateTime text: String) {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "T t".contains($0) }
        guard halves.count == 2, let date = Self.numbers(halves[0], "-"), date.count == 3 else { return nil }
        let clock = halves[1].prefix { $0.isNumber || ":.".contains($0) }
        let fields = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, let hours = Self.numbers(fields[0], ":"), let minutes = Self.numbers(fields[1], ":"),
            let seconds = Double(fields[2]), let zone = Self.seconds(ofZone: halves[1].dropFirst(clock.count)),
            let time = WallTime(date: (date[0], date[1], date[2]), time: (hours[0], minutes[0], seconds))
        else { return nil }
        self = time - .seconds(zone)
    }

    /// The seconds by which a zone is ahead of UTC: `+01:00`, `Z` or nothing; nil for any other text.
    private static func seconds(ofZone text: Substring) -> Int? {
        if text.isEmpty || text == "Z" || text == "z" { return 0 }
        guard let sign = ["+": 1, "-": -1][text.first], let parts = numbers(text.dropFirst(), ":"), parts.count == 2,
            parts[0] < 24, parts[1] < 60
        else { return nil }
        return sign * (parts[0] * 3600 + parts[1] * 60)
    }

    /// Numbers of digits alone, with a separator between them; nil for any other text.
    private static func numbers(_ text: Substring, _ separator: Character) -> [Int]? {
        let numbers = text.split(separator: separator, omittingEmptySubsequences: false).map { field in
            field.allSatisfy { $0.isASCII && $0.isNumber } ? Int(field) : nil
        }
        return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
    }

    /// Converts a timestamp to the time of the calendar.
    ///
    /// Reads `clock` and `CLOCK_REALTIME`, one after the other. If the thread is interrupted in between, the clocks are
    /// read again, up to eight times in all, and the pair with the shortest gap counts.
    ///
    /// - Parameters:
    ///   - moment: The timestamp.
    ///   - clock: The clock that gave the timestamp.
    package init(of moment: Timestamp, by clock: MonotonicClock) {
        var best = (gap: Duration.seconds(3600), time: WallTime.now)
        for _ in 0..<8 where best.gap > .microseconds(100) {
            let before = clock.now
            let wall = WallTime.now
            let gap = before.duration(to: clock.now)
            if gap < best.gap { best = (gap, wall - moment.duration(to: before)) }
        }
        self = best.time
    }

    /// The time that is earlier by `age`.
    package static func - (time: WallTime, age: Duration) -> WallTime {
        WallTime(sinceEpoch: time.sinceEpoch - age)
    }

    /// The milliseconds within the second, 0…999.
    package var milliseconds: Int { Int(sinceEpoch.components.attoseconds / 1_000_000_000_000_000) }

    /// Formats the time in the local time zone, or in UTC.
    ///
    /// - Parameters:
    ///   - format: A format of `strftime`.
    ///   - isUniversal: True for UTC.
    /// - Returns: The text; empty when it would have more than 255 bytes.
    package func text(_ format: String, isUniversal: Bool = false) -> String {
        var parts = unsafe tm()
        var seconds = time_t(sinceEpoch.components.seconds)
        if isUniversal {
            unsafe gmtime_r(&seconds, &parts)
        } else {
            unsafe localtime_r(&seconds, &parts)
        }
        var bytes = [CChar](repeating: 0, count: 256)
        let count = unsafe strftime(&bytes, bytes.count, format, &parts)
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Formats the time with milliseconds and its zone: `2026-03-01T17:30:00.250+01:00`, or `…T16:30:00.250Z` in UTC.
    ///
    /// - Parameter isUniversal: True for UTC, false for the local time zone.
    /// - Returns: The text.
    ///
    /// Source: RFC 3339, 5.6 "Internet Date/Time Format".
    package func dateTime(isUniversal: Bool) -> String {
        let time = text("%Y-%m-%dT%H:%M:%S", isUniversal: isUniversal) + ".\(String(milliseconds + 1000).dropFirst())"
        if isUniversal { return time + "Z" }
        let zone = text("%z")
        return time + zone.dropLast(2) + ":" + zone.suffix(2)
    }
}
