#if Media
internal import Glibc
package import PipConcurrency

extension WallTime {
    /// Parses a local time: `2026-11-29 15:00:05`, `2026-11-29 15:00`, `2026-11-29`, or a time of today, `15:00`.
    ///
    /// Nil for any other text.
    package init?(local text: String) {
        var words = text.split { $0 == " " || $0 == "T" }.map(String.init)
        if words.count == 1, words[0].contains(":") { words.insert(WallTime.now.text("%Y-%m-%d"), at: 0) }
        guard (1...2).contains(words.count), let day = Self.numbers(words[0], "-", [1970...9999, 1...12, 1...31]),
            day.count == 3,
            let time = Self.numbers(words.count == 2 ? words[1] : "0:0", ":", [0...23, 0...59, 0...59])
        else { return nil }
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (day[0] - 1900, day[1] - 1, day[2])
        unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (time[0], time[1], time.count == 3 ? time[2] : 0)
        // -1 lets the library find whether daylight saving time applies.
        unsafe parts.tm_isdst = -1
        let seconds = unsafe mktime(&parts)
        // The library takes February 30 for a day in March.
        guard seconds != -1, unsafe parts.tm_mday == day[2] else { return nil }
        self.init(sinceEpoch: .seconds(seconds))
    }

    /// The offset of local time from UTC, in seconds; positive in the east.
    package var localOffset: Int {
        var parts = unsafe tm()
        var seconds = time_t(sinceEpoch.components.seconds)
        unsafe localtime_r(&seconds, &parts)
        return unsafe parts.tm_gmtoff
    }

    /// Finds the offsets of local time from UTC on a day, on which clocks may change once.
    ///
    /// - Parameters:
    ///   - day: The beginning of the day and the beginning of the next one, in seconds since 1970.
    ///   - offset: Returns the offset at a time.
    /// - Returns: The offsets, each with the time from which on it holds.
    package static func localOffsets(
        of day: Range<Int>, offset: (Int) -> Int = { WallTime(sinceEpoch: .seconds($0)).localOffset }
    ) -> [(from: Int, seconds: Int)] {
        let first = (from: day.lowerBound, seconds: offset(day.lowerBound))
        let last = offset(day.upperBound - 1)
        guard first.seconds != last else { return [first] }
        // The change lies after `before`, and not after `after`.
        var (before, after) = (day.lowerBound, day.upperBound - 1)
        while after - before > 1 {
            let middle = (before + after) / 2
            if offset(middle) == first.seconds { before = middle } else { after = middle }
        }
        return [first, (after, last)]
    }

    /// Parses two or three numbers within ranges; nil for any other text.
    private static func numbers(_ text: String, _ separator: Character, _ ranges: [ClosedRange<Int32>]) -> [Int32]? {
        let fields = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = zip(fields, ranges).compactMap { field, range in
            field.allSatisfy(\.isNumber) ? Int32(field).flatMap { range.contains($0) ? $0 : nil } : nil
        }
        return (2...ranges.count).contains(fields.count) && numbers.count == fields.count ? numbers : nil
    }
}
#endif
