import PipCompose
import PipConcurrency
import PipSources
import Testing

@testable import PipText

@Suite("Pictures of values")
struct ReadoutPictureTests {
    private static func readout(
        _ format: String, _ telemetry: Telemetry, _ told: Told = Told()
    ) throws -> TelemetryPicture {
        let picture = TextPicture("", .plain(), reserved: "0000000", name: format)
        let shown = try TelemetryPicture(ReadoutText(try ReadoutFormat(format), picture), telemetry, told.reports)
        try picture.open(told.reports)
        return shown
    }

    private static func frame(_ readout: TelemetryPicture) throws -> Frame {
        try #require(readout.frame(at: .zero, waitingUntil: nil).frame)
    }

    private static func expected(_ text: String) throws -> [[UInt8]] {
        try picture(text, .plain(), reserving: "0000000").alpha
    }

    @Test("show a value within 20 ms, and its age once it is old", .timeLimit(.minutes(2)))
    func follows() async throws {
        try await VirtualTime.run { clock, _ in
            let telemetry = Telemetry(clock: clock)
            let readout = try Self.readout("{v:%d}", telemetry)
            #expect(try Self.frame(readout).alpha == Self.expected("–"))
            readout.start()
            for value in [7, 42] {
                telemetry.set("v", to: Double(value), lasting: .seconds(3))
                try await clock.sleep(for: .milliseconds(20))
                #expect(try Self.frame(readout).alpha == Self.expected("\(value)"))
            }
            try await clock.sleep(for: .seconds(2))
            #expect(try Self.frame(readout).alpha == Self.expected("42"))
            try await clock.sleep(for: .seconds(3))
            let old = try Self.frame(readout).alpha
            #expect(old == (try picture("– (silent for 5 s)", .plain(), reserving: "0000000").alpha))
            readout.stop()
        }
    }

    @Test("a thousand values a second are drawn no more often than every 15 ms", .timeLimit(.minutes(2)))
    func bounded() async throws {
        try await VirtualTime.run { clock, _ in
            let telemetry = Telemetry(clock: clock)
            let readout = try Self.readout("{v:%d}", telemetry)
            readout.start()
            var drawn: Set<UInt64> = []
            for value in 0..<1000 {
                telemetry.set("v", to: Double(value))
                try await clock.sleep(for: .milliseconds(1))
                drawn.insert(UInt64(try Self.frame(readout).info.sequence))
            }
            try await clock.sleep(for: .milliseconds(20))
            #expect((50...70).contains(drawn.count), "\(drawn.count)")
            #expect(try Self.frame(readout).alpha == Self.expected("999"))
            readout.stop()
        }
    }

    @Test("a session does not open a text with a mistake")
    func mistakes() async throws {
        let picture = Compositor(canvas: PixelSize(64, 48)) { Layer(ReadoutSource("{speed:%s}", of: Telemetry())) }
        picture --> NullSink()
        let error = await #expect(throws: SessionError.self) { try await Session(picture) }
        #expect(error.map { "\($0)" }?.contains("%s is not the format of a number") == true)
    }
}
