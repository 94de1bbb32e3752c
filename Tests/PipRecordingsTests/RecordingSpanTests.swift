#if Media
import PipConcurrency
import Testing

@testable import PipRecordings

@Suite("Spans of recordings")
struct RecordingSpanTests {
    /// A part that begins some seconds after the first.
    private func part(_ name: String, at start: Int, length: Double = 60) -> Recording {
        Recording(
            name: name, start: Self.time(start), duration: .seconds(length), bytes: 1, cameras: [], moments: [],
            state: .complete)
    }

    private static func time(_ seconds: Int) -> WallTime { WallTime(sinceEpoch: .seconds(1_790_000_000 + seconds)) }

    /// Three parts whose lengths are not whole seconds, another recording, and a part after a gap.
    private var all: [Recording] {
        [
            part("drive-1.mp4", at: 0, length: 60.4), part("drive-2.mp4", at: 60, length: 60.4),
            part("locked/drive-3.mp4", at: 121), part("road-1.mp4", at: 30), part("drive-4.mp4", at: 300),
        ]
    }

    private func span(_ name: String, _ from: Int?, _ to: Int?) throws -> RecordingSpan? {
        let part = try #require(all.first { $0.name == name })
        return RecordingSpan(of: part, among: all, from: from.map(Self.time), to: to.map(Self.time))
    }

    @Test("a span reaches over parts that follow each other, also locked ones, up to a gap, and not over others")
    func parts() throws {
        #expect(try span("drive-2.mp4", nil, nil)?.names == ["drive-1.mp4", "drive-2.mp4"])
        let whole = try span("drive-1.mp4", 30, 1000)
        #expect(whole?.names == ["drive-1.mp4", "drive-2.mp4", "locked/drive-3.mp4"])
        #expect(whole?.times == .seconds(30)..<(.seconds(120.8) + .seconds(60)))
        let inside = try span("drive-2.mp4", 70, 80)
        #expect(inside == (try span("drive-2.mp4", 70, 80)) && inside?.names == ["drive-2.mp4"])
        #expect(inside?.times == .seconds(10)..<(.seconds(20)))
        #expect(try span("drive-4.mp4", 300, 310)?.names == ["drive-4.mp4"])
        #expect(try span("drive-1.mp4", 400, 500) == nil && span("drive-1.mp4", 20, 10) == nil)
    }

    @Test(
        "local times are parsed",
        arguments: [
            ("2026-11-29 15:00:05", "2026-11-29 15:00:05"), ("2026-11-29T15:00", "2026-11-29 15:00:00"),
            ("2026-11-29", "2026-11-29 00:00:00"), ("2026-2-3 4:05", "2026-02-03 04:05:00"),
        ])
    func time(_ text: String, _ expected: String) throws {
        #expect(try #require(WallTime(local: text)).text("%F %T") == expected)
    }

    @Test("the offset of local time changes within the day on which clocks do")
    func offsets() {
        // Berlin on 2026-10-25: 25 hours, and from 1:00 UTC on an hour ahead of UTC in place of two.
        let day = 1_792_879_200..<1_792_969_200
        let change = 1_792_890_000
        let found = WallTime.localOffsets(of: day) { $0 < change ? 7200 : 3600 }
        #expect(found.map(\.from) == [day.lowerBound, change] && found.map(\.seconds) == [7200, 3600])
        let usual = WallTime.localOffsets(of: day) { _ in -3600 }
        #expect(usual.map(\.from) == [day.lowerBound] && usual.map(\.seconds) == [-3600])
        for change in [day.lowerBound + 1, day.upperBound - 1] {
            #expect(WallTime.localOffsets(of: day) { $0 < change ? 0 : 1800 }.last?.from == change)
        }
    }

    @Test("a time without a day is today's")
    func today() throws {
        let text = try #require(WallTime(local: "15:04")).text("%F %T")
        #expect([WallTime.now, WallTime.now - .seconds(60)].contains { text == $0.text("%F") + " 15:04:00" })
    }

    @Test(
        "other texts are no times",
        arguments: [
            "", "yesterday", "2026-13-01", "2026-02-30", "2026-11-29 24:00", "15", "1:2:3:4", "2026-11-29 15:00 x",
            "2026-11", "-1:00", "2026-11-29 +1:00",
        ])
    func noTime(_ text: String) { #expect(WallTime(local: text) == nil) }
}
#endif
