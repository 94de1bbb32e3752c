import PipCompose
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Sizes, rates and times")
struct NumberTests {
    @Test(
        "sizes are parsed in both forms",
        arguments: [
            ("1280x720", PixelSize(1280, 720)), ("640X360", PixelSize(640, 360)), ("720p", .hd720), ("1080P", .hd1080),
            ("2160p", .uhd2160), ("2x2", PixelSize(2, 2)),
        ])
    func readsSizes(_ text: String, _ size: PixelSize) throws {
        #expect(try PixelSize(argument: text) == size)
    }

    @Test(
        "invalid sizes are refused with the reason",
        arguments: [
            ("0x720", "above zero"), ("1280x0", "above zero"), ("-1280x720", "above zero"),
            ("1281x720", "try 1280x720"),
            ("1280x721", "try 1280x720"), ("1x1", "try 2x2"), ("70000x2", "65536 or less"), ("1280", "write WxH"),
            ("x", "write WxH"), ("", "write WxH"), ("1280x720x2", "not a size"), ("720", "did you mean 720p?"),
            ("99999999999999999999x2", "not a size"),
        ])
    func refusesSizes(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try PixelSize(argument: text) }.contains(reason))
    }

    @Test("odd sizes are parsed where the format allows them")
    func readsOddSizes() throws {
        #expect(try PixelSize(argument: "3x5", allowsOdd: true) == PixelSize(3, 5))
    }

    @Test(
        "rates are parsed as numbers and as fractions",
        arguments: [
            ("30", FrameRate(30)), ("29.97", FrameRate(30000, per: 1001)), ("30000/1001", FrameRate(30000, per: 1001)),
            ("12.5", FrameRate(25, per: 2)), ("1000", FrameRate(1000)), ("1/60", FrameRate(1, per: 60)),
            ("0.002", FrameRate(1, per: 500)), ("0.004", FrameRate(1, per: 250)), ("1/600", FrameRate(1, per: 600)),
        ])
    func readsRates(_ text: String, _ rate: FrameRate) throws {
        #expect(try FrameRate(argument: text) == rate)
    }

    @Test(
        "invalid rates are refused",
        arguments: ["0", "-5", "1001", "abc", "", "30/0", "0/1", "-30/-1", "1/0/2", "nan", "inf", "1e9", "1/601"])
    func refusesRates(_ text: String) {
        #expect(mistake { () throws(UsageError) in _ = try FrameRate(argument: text) }.contains("30000/1001"))
    }

    @Test(
        "the output's clock is a rate, max or the camera",
        arguments: [
            ("max", ClockArgument.maximum), ("MAX", .maximum), ("camera", .camera), ("25", .rate(FrameRate(25))),
        ])
    func readsClocks(_ text: String, _ clock: ClockArgument) throws {
        #expect(try ClockArgument(text) == clock)
    }

    @Test(
        "times are parsed with units",
        arguments: [
            ("10s", Duration.seconds(10)), ("1m30s", .seconds(90)), ("500ms", .milliseconds(500)),
            ("1.5h", .seconds(5400)), ("1h2m3s4ms", .milliseconds(3_723_004)), ("0.5s", .milliseconds(500)),
        ])
    func readsTimes(_ text: String, _ time: Duration) throws {
        #expect(try Duration(argument: text) == time)
    }

    @Test(
        "invalid times are refused with the reason",
        arguments: [
            ("10", "write 10s"), ("", "not a time"), ("s", "not a time"), ("10x", "not a time"),
            ("30s1m", "not a time"),
            ("1s1s", "not a time"), ("0s", "above zero"), ("-1s", "not a time"), ("1..5s", "not a time"),
            ("9999999999h", "not a time"),
        ])
    func refusesTimes(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try Duration(argument: text) }.contains(reason))
    }
}
