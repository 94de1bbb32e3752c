import PipConcurrency
import PipInputs
import PipText
import Testing

@testable import PipRig

extension TelemetryDecoder {
    fileprivate mutating func line(_ line: String) -> [String: Telemetry.Value]? { values(of: .text(line)) }
}

@Suite("Lines of sources of values")
struct TelemetryDecoderTests {
    private static func decoder(_ text: String) throws -> TelemetryDecoder {
        TelemetryDecoder(try TelemetryArgument(text))
    }

    private static func number(_ value: Telemetry.Value?) -> Double? {
        if case .number(let number)? = value { number } else { nil }
    }

    private static func sentence(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)"
    }

    @Test("a receiver's sentences give place, speed and heading")
    func nmea() throws {
        var decoder = try Self.decoder("nmea:/dev/ttyACM0")
        // Both sentences are those of gpsd's description.
        let place = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47"
        #expect(decoder.line(place) == [:])
        let valuesFound = decoder.line("$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A")
        let values = try #require(valuesFound)
        let expected = [
            "latitude": 48.1173, "longitude": 11.516667, "altitude": 545.4, "speed": 41.4848, "mph": 25.7775,
            "knots": 22.4, "heading": 84.4, "accuracy": 4.5, "satellites": 8,
        ]
        #expect(Set(values.keys) == Set(expected.keys))
        for (name, value) in expected {
            #expect(abs((Self.number(values[name]) ?? .infinity) - value) < 0.001, "\(name): \(values)")
        }
        let south = Self.sentence("GNRMC,1,A,3351.5,S,07040.25,W,0.1,10.0,010126,,")
        let standingFound = decoder.line(south)
        let standing = try #require(standingFound)
        #expect(Self.number(standing["latitude"]).map { abs($0 + 33.858333) < 1e-5 } == true)
        #expect(Self.number(standing["longitude"]).map { abs($0 + 70.670833) < 1e-5 } == true)
        // The heading of a car that stands still is noise.
        #expect(standing["heading"] == nil && standing["speed"] != nil)
    }

    @Test("a receiver without a fix, or with a bad one, gives no place and no speed")
    func untrusted() throws {
        var decoder = try Self.decoder("nmea:/dev/ttyACM0")
        let lostFound = decoder.line(Self.sentence("GPRMC,1,V,,,,,,,010126,,"))
        let lost = try #require(lostFound)
        #expect(lost.isEmpty)
        _ = decoder.line(Self.sentence("GPGGA,1,4807.038,N,01131.000,E,1,03,35.0,545.4,M,46.9,M,,"))
        let tunnelFound = decoder.line(Self.sentence("GPRMC,2,A,4807.038,N,01131.000,E,22.4,84.4,010126,,"))
        let tunnel = try #require(tunnelFound)
        #expect(Set(tunnel.keys) == ["accuracy", "satellites"])
        var daemon = try Self.decoder("gpsd")
        let bad = #"{"class":"TPV","mode":2,"lat":48.1,"lon":11.5,"speed":11.0,"track":84.0,"epx":90.0,"epy":120.0}"#
        #expect(daemon.line(bad) == ["accuracy": .number(150)])
        #expect(daemon.line(#"{"class":"TPV","mode":1}"#) == [:])
    }

    @Test("a receiver with a fix tells the time, and one without it, or with an odd one, none")
    func time() throws {
        var port = try Self.decoder("nmea:/dev/ttyACM0")
        for (body, expected) in [
            ("GPRMC,181508.25,A,4807.038,N,01131.000,E,22.4,84.4,291126,,", "2026-11-29T18:15:08.250Z"),
            ("GPRMC,181508,A,4807.038,N,01131.000,E,22.4,84.4,290280,,", "2080-02-29T18:15:08.000Z"),
            ("GPRMC,181508,V,,,,,,,291126,,", nil), ("GPRMC,1815,A,4807.038,N,01131.000,E,22.4,84.4,291126,,", nil),
            ("GPRMC,181508,A,4807.038,N,01131.000,E,22.4,84.4,,,", nil),
            ("GPRMC,991508,A,4807.038,N,01131.000,E,22.4,84.4,291126,,", nil),
            ("GPGGA,181508,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,", nil),
        ] {
            _ = port.line(Self.sentence(body))
            #expect(port.time?.dateTime(isUniversal: true) == expected, "\(body)")
        }
        var daemon = try Self.decoder("gpsd")
        for (report, expected) in [
            (#"{"class":"TPV","mode":2,"time":"2026-11-29T18:15:08.250Z"}"#, "2026-11-29T18:15:08.250Z"),
            (#"{"class":"TPV","mode":1,"time":"2026-11-29T18:15:08.250Z"}"#, nil),
            (#"{"class":"TPV","mode":2,"time":"yesterday"}"#, nil), (#"{"class":"TPV","mode":2,"time":7}"#, nil),
            (#"{"class":"SKY","time":"2026-11-29T18:15:08.250Z"}"#, nil),
        ] {
            _ = daemon.line(report)
            #expect(daemon.time?.dateTime(isUniversal: true) == expected, "\(report)")
        }
    }

    @Test("gpsd's reports give the same values, and its other reports none")
    func gpsd() throws {
        var decoder = try Self.decoder("gpsd,name=front")
        #expect(decoder.line(#"{"class":"VERSION","release":"3.22"}"#) == [:])
        #expect(decoder.line(#"{"class":"SKY","uSat":9,"satellites":[{"PRN":1}]}"#) == [:])
        let report = """
            {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-03-01T12:00:00.000Z","lat":48.1173,\
            "lon":11.5167,"altMSL":545.4,"altHAE":592.3,"speed":10,"track":84.4,"eph":4.2}
            """
        let valuesFound = decoder.line(report)
        let values = try #require(valuesFound)
        #expect(Self.number(values["front.speed"]) == 36)
        #expect(Self.number(values["front.altitude"]) == 545.4)
        #expect(Self.number(values["front.satellites"]) == 9)
        #expect(decoder.line("hello") == nil)
        #expect(decoder.line(#"{"speed":3}"#) == nil)
    }

    @Test("row 84: objects of JSON give their members, those of members with a full stop; nonsense gives none")
    func json() throws {
        var decoder = try Self.decoder("json:/run/values")
        let line =
            #"{"speed": 87.5, "gear": 4, "engine": {"rpm": 2100, "on": true}, "driver": "Anna", "list": [1], "no": null}"#
        #expect(
            decoder.line(line) == [
                "speed": .number(87.5), "gear": .number(4), "engine.rpm": .number(2100), "engine.on": .number(1),
                "driver": .text("Anna"),
            ])
        for wrong in ["", "[1]", "7", "{\"a\":", String(repeating: "[", count: 60_000)] {
            #expect(decoder.line(wrong) == nil, "\(wrong.prefix(20))")
        }
        let many = "{" + (0..<5000).map { "\"v\($0)\": 1" }.joined(separator: ", ") + "}"
        #expect((decoder.line(many)?.count ?? .max) <= Telemetry.mostNames)
    }

    @Test("an accelerometer gives its axes and their whole")
    func acceleration() throws {
        var decoder = try Self.decoder("accelerometer,name=box")
        let values = decoder.values(of: .acceleration(SIMD3(0.3, -0.4, 1.2)))
        #expect(
            values == [
                "box.g": .number(1.3), "box.g.x": .number(0.3), "box.g.y": .number(-0.4), "box.g.z": .number(1.2),
            ])
        #expect(decoder.values(of: .edge(isActive: true)) == nil)
    }

    @Test(
        "row 84: other lines of a receiver are no sentences",
        arguments: [
            "", "$", "$GPRMC", "$GPRMC*", "$GPRMC,1,A*00", "GPRMC,1,A*6A", "$GPRMC,123519,A,4807.038,N,01131.000,E,022",
            "\u{7f}\u{ff}$$$*zz", "$*00",
        ])
    func garbage(_ line: String) throws {
        var decoder = try Self.decoder("nmea:/dev/ttyACM0")
        #expect(decoder.line(line) == nil)
    }
}
