import Foundation
import PipConcurrency
import PipFrames
import Testing

@testable import PipText

@Suite("Texts with values")
struct ReadoutFormatTests {
    private static func now(_ seconds: Double) -> Timestamp { Timestamp(nanoseconds: Int64(seconds * 1e9)) }

    /// Values that came at 100 s and count as present for 3 s.
    private static var telemetry: Telemetry {
        let telemetry = Telemetry(clock: MonotonicClock())
        telemetry.take(
            ["speed": .number(87.25), "rpm": .number(2100), "driver": .text("Anna")], lasting: .seconds(3),
            at: now(100))
        telemetry.take(["bus": .number(12)], at: now(100))
        return telemetry
    }

    @Test(
        "show values with their formats, a dash for an unknown one, and the age of an old one",
        arguments: [
            ("{speed:%.0f} km/h", 101, "87 km/h"), ("{speed}", 101, "87.3"), ("{rpm}", 101, "2100"),
            ("{rpm:%06d}", 101, "002100"), ("{speed:%+.2f}", 101, "+87.25"), ("{speed:%6.1f}|", 101, "  87.3|"),
            ("{driver}: {missing}", 101, "Anna: –"), ("{driver:%d}", 101, "Anna"),
            ("{{{rpm}}}", 101, "{2100}"), ("no value", 101, "no value"),
            ("{speed:%.0f}", 103, "87"), ("{speed:%.0f}", 103.5, "– (silent for 3 s)"),
            ("{speed:%.0f} km/h {rpm} {bus}", 112.9, "– km/h – 12 (silent for 12 s)"),
            ("{speed:%.0f}", 400, "– (silent for 5 min)"),
            ("{speed:%.0f}", 7000, "–"), ("{bus}", 7000, "12"),
            ("{speed.age} s", 112.9, "12 s"), ("{missing.age}", 101, "–"),
        ])
    func shown(_ format: String, _ time: Double, _ text: String) throws {
        let shown = try ReadoutFormat(format).text(of: Self.telemetry.readings, at: Self.now(time))
        #expect(shown.text == text)
    }

    @Test(
        "tell when they change although no value does",
        arguments: [
            ("{bus}", 101.0, Double?.none), ("{missing}", 101, nil), ("{speed}", 101, 103), ("{speed}", 103.5, 104),
            ("{speed}", 112.9, 113), ("{bus.age} {speed}", 101.2, 102),
        ])
    func due(_ format: String, _ time: Double, _ due: Double?) throws {
        let shown = try ReadoutFormat(format).text(of: Self.telemetry.readings, at: Self.now(time))
        #expect((shown.due.map { Double($0.nanoseconds) / 1e9 } == nil) == (due == nil))
        if let found = shown.due, let due {
            #expect(abs(Double(found.nanoseconds) / 1e9 - due) < 0.001)
            // The text at this time is another one, so that no thread turns in a circle.
            let next = try ReadoutFormat(format).text(of: Self.telemetry.readings, at: found)
            #expect(next.text != shown.text)
        }
    }

    @Test("numbers are printed as C prints them")
    func numbers() throws {
        var generator = SystemRandomNumberGenerator()
        for format in ["%d", "%.0f", "%.1f", "%5.2f", "%08.3f", "%+.1f", "%+04d", "%f", "%3d"] {
            let number = try #require(NumberFormat(format[...]))
            for _ in 0..<200 {
                // Quarters, so that no half lies between what a binary number is and what it looks like.
                let value = Double(Int.random(in: -40_000...40_000, using: &generator) * 2 + 1) / 1024
                let expected =
                    format.hasSuffix("d")
                    ? String(format: format, Int(value.rounded())) : String(format: format, value)
                let zero = expected.allSatisfy { !("1"..."9").contains($0) }
                #expect(
                    number.text(value) == (zero ? expected.replacing("-", with: "") : expected) || zero, "\(format)")
            }
        }
        #expect(NumberFormat("%.1f")?.text(1e20) == "1e+20")
    }

    @Test(
        "refuse what is no place for a value, with what to write",
        arguments: [
            ("{speed", "{speed} for a value"), ("speed}", "{{ and }}"), ("{}", "names no value"),
            ("{a b}", "names no value"), ("{.age}", "names no value"), ("{speed:%s}", "%s is not the format"),
            ("{speed:.1f}", ".1f is not the format"), ("{speed:%99d}", "%99d is not"), ("{speed:%.20f}", "is not"),
            ("{speed:}", " is not the format"),
        ])
    func refused(_ format: String, _ part: String) {
        let mistake = #expect(throws: ReadoutFormat.Mistake.self) { try ReadoutFormat(format) }
        #expect(mistake?.description.contains(part) == true, "\(mistake?.description ?? "")")
    }

    @Test("a set of values is bounded, and a number that is none ends its value")
    func bounded() {
        let telemetry = Telemetry()
        for index in 0..<1000 { telemetry.set("v\(index)", to: Double(index)) }
        #expect(telemetry.names.count == Telemetry.mostNames)
        telemetry.set("v7", to: .nan)
        #expect(telemetry.value(of: "v7") == nil && telemetry.names.count == Telemetry.mostNames - 1)
        telemetry.set("text", to: String(repeating: "ä", count: 5000))
        #expect(telemetry.value(of: "text") == .text(String(repeating: "ä", count: Telemetry.longestText)))
        telemetry.take(["old": .number(1)], lasting: .seconds(1), at: .zero)
        #expect(telemetry.value(of: "old") == nil)
    }
}
