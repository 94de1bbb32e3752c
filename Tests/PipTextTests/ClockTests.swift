import PipCompose
import PipConcurrency
import PipPatterns
import Testing

@testable import PipText

@Suite("A clock")
struct ClockTests {
    /// A clock picture whose time a test sets, in seconds.
    private static func clock(
        _ format: String, zone: ClockZone = .utc, now: Monitor<Int>, _ told: Told = Told()
    ) throws -> ClockPicture {
        try ClockPicture(
            ClockText(format: format, zone: zone), .plain(24), label: "clock", now: { now.read { $0 } },
            reports: told.reports)
    }

    /// True if the clock shows the expected picture within a minute.
    private static func shown(_ clock: ClockPicture, _ expected: Frame) async -> Bool {
        let end = MonotonicClock().now.advanced(by: .seconds(60))
        while MonotonicClock().now < end {
            if clock.frame(at: .zero, waitingUntil: nil).frame?.inked == expected.inked { return true }
            await Task.yield()
        }
        return false
    }

    @Test(
        "writes a second like strftime, in its time zone",
        arguments: [
            (ClockZone.utc, "2001-09-09 01:46:40 +0000"), (.offset(minutes: 150), "2001-09-09 04:16:40 +0230"),
            (.offset(minutes: -600), "2001-09-08 15:46:40 -1000"),
        ])
    func texts(_ zone: ClockZone, _ text: String) {
        #expect(ClockText(format: "%Y-%m-%d %H:%M:%S %z", zone: zone).text(of: 1_000_000_000) == text)
    }

    @Test("refuses a format whose text is too long")
    func tooLong() {
        let now = Monitor(0)
        let error = #expect(throws: SourceError.self) {
            try Self.clock(String(repeating: "%A", count: 60), now: now)
        }
        #expect(
            error?.description
                == "clock: cannot be drawn: its format gives a text of more than 255 bytes; shorten the format")
        #expect(ClockText(format: "", zone: .utc).text(of: 0) == "")
    }

    @Test("a clock has one size for all times", arguments: ["%A, %e %B %Y %H:%M:%S", "%I:%M:%S %p"])
    func oneSize(_ format: String) throws {
        let clock = ClockText(format: format, zone: .utc)
        let typesetter = try Typesetter(.plain(24), label: "clock", warn: { _ in })
        let size = try Self.clock(format, now: Monitor(0)).description.layout.size
        for second in stride(from: 0, to: 400 * 86_400, by: 50_021) {
            let text = try #require(clock.text(of: second))
            #expect(try typesetter.layout(text).size.width <= size.width, "\(text)")
        }
    }

    @Test("follows the time, and jumps of it in both directions")
    func steps() async throws {
        let now = Monitor(1_000_000_000)
        let clock = try Self.clock("%H:%M:%S", now: now)
        clock.start()
        defer { clock.stop() }
        for (second, text) in [
            (1_000_000_000, "01:46:40"), (1_000_000_001, "01:46:41"), (1_000_007_200, "03:46:40"),
            (999_999_999, "01:46:39"), (1_000_000_000, "01:46:40"),
        ] {
            now.update { $0 = second }
            #expect(await Self.shown(clock, try picture(text, .plain(24))), "\(text)")
        }
    }

    @Test("draws the next second before it begins")
    func ahead() async throws {
        let now = Monitor(1_000_000_000)
        let clock = try Self.clock("%H:%M:%S", now: now)
        clock.start()
        defer { clock.stop() }
        let deadline = MonotonicClock().now.advanced(by: .seconds(60))
        // The calls for the output's time wait until the clock has drawn the pictures of both seconds.
        _ = clock.frame(at: .seconds(0), waitingUntil: deadline)
        _ = clock.frame(at: .seconds(1), waitingUntil: deadline)
        now.update { $0 += 1 }
        let expected = try picture("01:46:41", .plain(24))
        #expect(clock.frame(at: .zero, waitingUntil: nil).frame?.inked == expected.inked)
    }

    @Test("keeps its picture while its text is the same")
    func minutes() throws {
        let clock = try Self.clock("%H:%M", now: Monitor(1_000_000_000))
        clock.start()
        defer { clock.stop() }
        let deadline = MonotonicClock().now.advanced(by: .seconds(60))
        let sequences = (0..<40).map { clock.frame(at: .seconds($0), waitingUntil: deadline).frame?.info.sequence }
        // The test begins at 01:46:40, so the minute ends after 20 seconds.
        #expect(sequences == Array(repeating: 1, count: 20) + Array(repeating: 2, count: 20))
    }

    @Test("follows the output's time in a file that is made at maximum pace")
    func offline() async throws {
        let clock = ClockSource("%H:%M:%S", zone: .utc, .plain(24), now: { 1_000_000_000 })
        let size = try picture("01:46:40", .plain(24)).size
        let canvas = PixelSize(size.width.roundedUp(to: 8) + 8, size.height.roundedUp(to: 8))
        let picture = Compositor(canvas: canvas) {
            Layer(PatternSource(.noise, size: canvas, frameRate: FrameRate(2)))
            Layer(Compositor(canvas: canvas) { Layer(clock).placed(.topLeft) })
        }
        let tap = FrameTap(.rgba, buffering: .oldest(16))
        picture --> tap
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        try await session.run(frames: 6)
        var shown: [Frame] = []
        for await frame in tap.frames { shown.append(frame) }
        let expected = try ["01:46:40", "01:46:41", "01:46:42"].flatMap { text in
            let frame = try PipTextTests.picture(text, .plain(24))
            return [frame, frame]
        }
        #expect(shown.count == expected.count)
        for (frame, text) in zip(shown, expected) {
            for y in 0..<text.size.height {
                for x in 0..<text.size.width {
                    let difference = abs(Int(frame.pixel(x, y)[0]) - Int(text.pixel(x, y)[0]))
                    #expect(difference <= 1, "at \(x), \(y) of frame \(frame.info.sequence)")
                }
            }
        }
    }
}

extension Frame {
    /// The alpha rows up to the last column with ink.
    fileprivate var inked: [[UInt8]] { alpha.map { Array($0.prefix((inkColumns?.upperBound ?? -1) + 1)) } }
}
