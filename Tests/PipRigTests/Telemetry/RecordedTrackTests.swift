import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig
@testable import PipText

@Suite("Values that were recorded before")
struct RecordedTrackTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func track(_ text: String, _ name: String, _ options: String = "") throws -> RecordedTrack {
        try folder.write(Array(text.utf8), to: name)
        return try #require(try TelemetryArgument("track:\(folder.path(name))\(options)").track)
    }

    private static func document(_ points: String) -> String {
        """
        <?xml version="1.0"?>
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="urn:garmin">
        <metadata><time>2026-03-01T00:00:00Z</time></metadata><trk><name>a &amp; b</name><trkseg>\(points)</trkseg></trk></gpx>
        """
    }

    @Test("a GPX file gives places, heights, speeds and directions, whatever its namespaces")
    func places() throws {
        let track = try track(
            Self.document(
                """
                <trkpt lat="48.5" lon="-11.25"><ele>540.5</ele><time>2026-03-01T12:00:00.5+01:00</time><extensions>
                <gpxtpx:TrackPointExtension><gpxtpx:speed>10</gpxtpx:speed><gpxtpx:course>90</gpxtpx:course>
                </gpxtpx:TrackPointExtension></extensions></trkpt>
                <trkpt lat="48.6" lon="-11.25"><ele>1</ele></trkpt>
                """), "a.gpx")
        let date = try #require(WallTime(dateTime: "2026-03-01T11:00:00.5Z"))
        // The second place has no time.
        let point = try #require(track.points.first)
        #expect(track.points.count == 1 && track.isDated && point.time == date.sinceEpoch)
        for (name, value) in ["latitude": 48.5, "longitude": -11.25, "altitude": 540.5, "speed": 36, "heading": 90] {
            #expect(point.values[name] == .number(value), "\(name)")
        }
    }

    @Test("where a GPX file has no speeds, they are those from place to place, but none over a gap")
    func speeds() throws {
        // A hundredth of a degree north is 1112 m, and in the latitude 60 one to the west is half of it.
        let places = [(60.0, 10.0, 0), (60.01, 10, 5), (60.01, 9.99, 10), (60.01, 9.98, 40)]
        let track = try track(
            Self.document(
                places.map { "<trkpt lat=\"\($0)\" lon=\"\($1)\"><time>2026-03-01T12:00:\($2 + 10)Z</time></trkpt>" }
                    .joined()), "a.gpx")
        let found = track.points.map { point -> (speed: Double?, heading: Double?) in
            func number(_ name: String) -> Double? {
                if case .number(let number) = point.values[name] { number } else { nil }
            }
            return (number("speed"), number("heading"))
        }
        #expect(found.count == 4 && found[0].speed == nil && found[3].speed == nil)
        #expect(abs((found[1].speed ?? 0) - 1112 / 5 * 3.6) < 1 && found[1].heading == 0)
        #expect(abs((found[2].speed ?? 0) - 556 / 5 * 3.6) < 1 && abs((found[2].heading ?? 0) - 270) < 0.01)
    }

    @Test("a CSV file of --track, and a table with names in its first line, give their values")
    func tables() throws {
        let kept = try track(
            "time,name,value\n2026-03-01T12:00:00.000Z,speed,87.2\n2026-03-01T12:00:01.000Z,driver,\"Anna, \"\"A\"\"\"\n",
            "a.csv")
        #expect(
            kept.isDated && kept.points.map(\.values) == [["speed": .number(87.2)], ["driver": .text("Anna, \"A\"")]])
        let table = try track(
            "\u{feff}Seconds,speed (km/h),engine.rpm\r\n0,10,900\r\n1.5,,1200\r\nx,1,2\r\n", "b.csv")
        #expect(!table.isDated)
        #expect(table.points.map(\.time) == [.zero, .seconds(1.5)])
        #expect(
            table.points.map(\.values) == [
                ["speed_km_h": .number(10), "engine.rpm": .number(900)], ["engine.rpm": .number(1200)],
            ])
        let spaced = try track("s, a b , c\n 0 , 1 , x\n1772366400,2,y\n", "d.csv")
        // The first time decides what times are.
        #expect(!spaced.isDated && spaced.points.map(\.values) == [["a_b": .number(1), "c": .text("x")]])
        let millis = try track("t,v\n1772366400500,1\n", "c.csv")
        #expect(millis.isDated && millis.points.first?.time == .milliseconds(1_772_366_400_500))
    }

    @Test("values come at the times of the picture: the given start, an offset, and a name")
    func times() throws {
        var rig = Rig()
        try folder.write(
            Array("time,v\n2026-03-01T12:00:01Z,1\n2026-03-01T12:00:03Z,2\n".utf8), to: "a.csv")
        rig.telemetry = [
            try TelemetryArgument(
                "track:\(folder.path("a.csv")),start=2026-03-01T12:00:00Z,offset=-500ms,name=old,valid=1s")
        ]
        let values = try #require(try RecordedValues(rig))
        var readings = RecordedReadings(values)
        func shown(at seconds: Double) -> Double? {
            _ = readings.follow(to: .seconds(seconds))
            return readings.readings.number("old.v", at: .zero.advanced(by: .seconds(seconds)))
        }
        #expect([0.4, 0.5, 1.4, 1.6, 2.4, 2.5].map { shown(at: $0) } == [nil, 1, 1, nil, nil, 2])
    }

    @Test(
        "a track that cannot be shown is refused with what to write",
        arguments: [
            ("a.gpx", "<gpx><trk>", "", "is no GPX file: line 1"), ("a.gpx", "<gpx/>", "", "no values with times"),
            ("a.csv", "speed\n12\n", "", "begins with a column of times"),
            ("a.csv", "time,v\n2026-03-01T12:00:00Z,1\n", ",start=noon", "a time such as"),
            ("a.csv", "time,v\n2026-03-01T12:00:00Z,1\n", ",offset=2", "no unit"),
            ("a.csv", "time,v\n0,1\n", ",start=2026-03-01T12:00:00Z", "leave start out"),
        ])
    func refused(_ name: String, _ text: String, _ options: String, _ part: String) {
        let error = #expect(throws: UsageError.self) { try track(text, name, options) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test("times thousands of years apart, and numbers that are none, show nothing and break nothing")
    func extremes() throws {
        let places = ["1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1970-01-02T00:00:00Z", "1970-01-02T00:00:05Z"]
        let track = try track(
            Self.document(places.map { "<trkpt lat=\"1e305\" lon=\"nan\"><time>\($0)</time></trkpt>" }.joined()),
            "a.gpx")
        #expect(track.points.count == 4 && track.points.allSatisfy { $0.values["latitude"] == nil })
        try folder.write(Array("time,v\n1970-01-01T00:00:00Z,nan\n9999-12-31T23:59:59Z,1e308\n".utf8), to: "b.csv")
        for start in ["1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            var rig = Rig()
            rig.telemetry = [try TelemetryArgument("track:\(folder.path("b.csv")),start=\(start),offset=-100000h")]
            var readings = RecordedReadings(try #require(try RecordedValues(rig)))
            let isChanged = readings.follow(to: .seconds(1))
            #expect(isChanged)
            #expect(readings.readings.number("v", at: .zero) == nil)
        }
    }

    @Test("a track of too many moments is refused")
    func many() {
        let text = "t,v\n" + String(repeating: "1,1\n", count: RecordedTrack.mostPoints + 1)
        let error = #expect(throws: UsageError.self) { try track(text, "a.csv") }
        #expect(error?.description.contains("more than 500000 moments") == true, "\(error?.description ?? "")")
    }

    @Test("a document that would grow without bounds is refused")
    func entities() throws {
        var text = "<!DOCTYPE gpx [<!ENTITY a0 \"aaaaaaaaaaaaaaaaaaaa\">"
        for number in 1...12 {
            let inner = String(repeating: "&a\(number - 1);", count: 20)
            text += "<!ENTITY a\(number) \"\(inner)\">"
        }
        let error = #expect(throws: UsageError.self) { try track(text + "]><gpx>&a12;</gpx>", "a.gpx") }
        #expect(error?.description.contains("no GPX file") == true, "\(error?.description ?? "")")
    }

    @Test("without the time of the first picture, and beside present values, it is refused")
    func unknown() throws {
        try folder.write(Array("time,v\n2026-03-01T12:00:00Z,1\n".utf8), to: "a.csv")
        let text = "track:\(folder.path("a.csv"))"
        var rig = Rig()
        rig.telemetry = [try TelemetryArgument(text)]
        #expect(throws: RigError.self) { try RecordedValues(rig) }
        for other in ["gpsd", "api"] {
            rig.telemetry = [try TelemetryArgument(text), try TelemetryArgument(other)]
            let error = #expect(throws: RigError.self) { try rig.check() }
            #expect(error?.description.contains("\(other) gives present values") == true, "\(error?.description ?? "")")
        }
        try folder.write(Array("time,w\n1,1\n".utf8), to: "b.csv")
        rig.telemetry = try [text, "track:\(folder.path("b.csv"))"].map { try TelemetryArgument($0) }
        try rig.check()
        rig.telemetry[1] = rig.telemetry[0]
        #expect(throws: RigError.self) { try rig.check() }
    }
}
