import PipFrames
import Testing

@Suite("Rates and timestamps")
struct TimeTests {
    @Test(
        "a rate in decimals becomes the exact fraction",
        arguments: [
            (29.97, 30000, 1001), (23.976, 24000, 1001), (59.94, 60000, 1001), (30, 30, 1), (12.5, 25, 2), (25, 25, 1),
            (7.5, 15, 2), (0.5, 1, 2), (14.985, 15000, 1001), (120, 120, 1), (0.004, 1, 250), (0.002, 1, 500),
            (0.0001, 1, 1000),
        ])
    func rates(number: Double, frames: Int, seconds: Int) {
        let rate = FrameRate(number)
        #expect(rate == FrameRate(frames, per: seconds))
        #expect(rate?.frames == frames && rate?.seconds == seconds)
    }

    @Test("invalid rates are refused", arguments: [0, -1, .nan, .infinity, -.infinity, 1e9])
    func noRate(number: Double) { #expect(FrameRate(number) == nil) }

    @Test("frames are due without a growing error", arguments: [0, 1, 29, 30, 107_892, 30_000 * 24 * 3600])
    func offsets(index: Int) {
        let rate = FrameRate(30000, per: 1001)
        let exact = Double(index) * 1001 / 30000
        #expect(abs(rate.offset(ofFrame: index).inSeconds - exact) < max(1e-9, exact * 1e-15))
        #expect(rate.offset(ofFrame: 30000 * 7) == .seconds(7007))
    }

    @Test("each frame is due one interval after the previous one, to the nanosecond")
    func intervals() {
        let rate = FrameRate(30000, per: 1001)
        for index in 0..<100 {
            let step = rate.offset(ofFrame: index + 1) - rate.offset(ofFrame: index)
            #expect((step - rate.interval) >= .zero && (step - rate.interval) <= .nanoseconds(1))
        }
    }

    @Test("a driver's odd fraction does not overflow")
    func oddFraction() {
        let rate = FrameRate(10_000_000, per: 333_667)
        #expect(abs(rate.offset(ofFrame: 9_999_999).inSeconds - 9_999_999 * 333_667 / 10_000_000) < 1e-6)
        #expect(rate.interval == .nanoseconds(33_366_700))
        let extreme = FrameRate(4_294_967_291, per: 4_294_967_279)
        #expect(abs(extreme.offset(ofFrame: 100).inSeconds - 100) < 1e-6)
        #expect(extreme.interval.nanoseconds == 999_999_997)
        #expect(FrameRate(1_000_000_007, per: 4_294_967_279) < extreme)
    }

    @Test("rates compare by value, and their text is a decimal number")
    func compare() {
        #expect(FrameRate(30000, per: 1001) < FrameRate(30))
        #expect(FrameRate(25, per: 2) > FrameRate(12))
        #expect(FrameRate(60, per: 2) == FrameRate(30))
        #expect(FrameRate(30000, per: 1001).description == "29.97")
        #expect(FrameRate(25, per: 2).description == "12.5")
        #expect(FrameRate(30).description == "30")
    }

    @Test("timestamps and durations add up")
    func moments() {
        let moment = Timestamp(nanoseconds: 1_500_000_000)
        #expect(moment.advanced(by: .milliseconds(250)).nanoseconds == 1_750_000_000)
        #expect(moment.duration(to: Timestamp(nanoseconds: 1_000_000_000)) == .milliseconds(-500))
        #expect(Timestamp.zero < moment)
        #expect(Duration.seconds(-2).nanoseconds == -2_000_000_000)
        #expect((Duration.seconds(3) + .nanoseconds(7)).nanoseconds == 3_000_000_007)
    }

    @Test("a timestamp's text has six decimals and its sign")
    func text() {
        #expect(Timestamp(nanoseconds: 12_003_004_999).description == "12.003004")
        #expect(Timestamp.zero.description == "0.000000")
        #expect(Timestamp(nanoseconds: -500_000_000).description == "-0.500000")
    }
}
