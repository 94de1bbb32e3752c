import PipFrames
import Testing

@testable import PipConcurrency

@Suite("Times of the calendar")
struct WallTimeTests {
    private static func time(_ year: Int, _ month: Int = 1, _ day: Int = 1) throws -> WallTime {
        try #require(WallTime(date: (year, month, day), time: (0, 0, 0)))
    }

    @Test("are made of a date in UTC")
    func parts() throws {
        let time = try #require(WallTime(date: (2026, 11, 29), time: (18, 15, 8.25)))
        #expect(time.dateTime(isUniversal: true) == "2026-11-29T18:15:08.250Z")
        #expect(try Self.time(2028, 2, 29).sinceEpoch == .seconds(1_835_395_200))
        for (month, day, hour, minute, second) in [
            (0, 1, 0, 0, 0.0), (13, 1, 0, 0, 0), (1, 32, 0, 0, 0), (1, 1, 24, 0, 0), (1, 1, 0, 60, 0), (1, 1, 0, 0, 61),
            (1, 1, 0, 0, .nan),
        ] {
            #expect(WallTime(date: (2026, month, day), time: (hour, minute, second)) == nil)
        }
        #expect(WallTime(date: (80, 1, 1), time: (0, 0, 0)) == nil)
    }

    @Test("of a receiver are shown on a machine whose clock nobody keeps, and that is late")
    func receiver() throws {
        let now = try Self.time(2026, 11, 29)
        for (time, present, isSynchronized, isWanted) in [
            (now, try Self.time(1970), false, true), (now, try Self.time(2023, 6), false, true),
            (now, now - .seconds(61), false, true), (now, now - .seconds(59), false, false),
            // A machine that is kept right, a recorded way, and receivers that are wrong themselves.
            (now, try Self.time(1970), true, false), (now, now - .seconds(-86_400), false, false),
            (try Self.time(2006), try Self.time(1970), false, false), (try Self.time(2080), now, false, false),
        ] {
            #expect(
                WallTime.isWanted(time, after: present, isSynchronized: isSynchronized) == isWanted,
                "\(time) after \(present)")
        }
    }
}
