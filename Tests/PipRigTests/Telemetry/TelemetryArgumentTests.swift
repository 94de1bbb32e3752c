import PipCompose
import PipInputs
import Testing

@testable import PipRig

@Suite("Sources of values on the command line and in a configuration")
struct TelemetryArgumentTests {
    @Test(
        "are gpsd, NMEA and lines of JSON",
        arguments: [
            ("gpsd", LinesRequest.Place.server(host: "localhost", port: 2947), 3, String?.none),
            ("gpsd:box.local,name=rear,valid=5s", .server(host: "box.local", port: 2947), 5, "rear"),
            ("gpsd:10.0.0.7:3000", .server(host: "10.0.0.7", port: 3000), 3, nil),
            ("gpsd:[::1]:3000", .server(host: "::1", port: 3000), 3, nil),
            ("nmea:/dev/ttyACM0", .file("/dev/ttyACM0", baud: 9600), 3, nil),
            ("nmea:/dev/ttyUSB1, baud=4800", .file("/dev/ttyUSB1", baud: 4800), 3, nil),
            ("json:/run/values", .file("/run/values", baud: 9600), 3, nil),
        ])
    func read(_ text: String, _ place: LinesRequest.Place, _ seconds: Int, _ name: String?) throws {
        let source = try TelemetryArgument(text)
        let greeting = text.hasPrefix("gpsd") ? GPSDReport.greeting : ""
        #expect(source.request == .text(LinesRequest(place, greeting: greeting)))
        #expect(source.validity == .seconds(seconds))
        #expect(source.name == name)
    }

    @Test("are an accelerometer and clients of the API, too")
    func others() throws {
        #expect(try TelemetryArgument("accelerometer").request == .acceleration(sensor: nil))
        #expect(try TelemetryArgument("accelerometer:bmi160,valid=1s").request == .acceleration(sensor: "bmi160"))
        #expect(try TelemetryArgument("api").request == nil)
    }

    @Test(
        "are refused with what to write",
        arguments: [
            ("", "no source of values"), ("gps", "write gpsd"), ("nmea", "no port, pipe or file"),
            ("api,baud=9600", "baud is for"),
            ("nmea:,baud=4800", "no port, pipe or file"), ("nmea:/dev/ttyS0,baud=fast", "115200"),
            ("nmea:/dev/ttyS0,rate=4800", "baud"), ("gpsd,baud=9600", "baud is for a serial port"),
            ("api:x", "no place"),
            ("gpsd:host:0", "a host and a port"), ("gpsd::2947", "a host and a port"),
            ("json:/run/v,name=a b", "letters, digits"), ("json:/run/v,valid", "needs a value"),
            ("json:/run/v,valid=5", "unit"),
        ])
    func refused(_ text: String, _ part: String) {
        let error = #expect(throws: UsageError.self) { try TelemetryArgument(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    private static func file(_ lines: String) throws -> RigFile {
        try RigFile("cameras: {road: {source: pattern:bars}}\noutputs: [\"null:\"]\n\(lines)\n", path: "rig.yaml")
    }

    @Test("are read from a configuration, and written so that they are read again")
    func configuration() throws {
        let file = try Self.file(
            """
            telemetry: [gpsd, {from: "nmea:/dev/ttyUSB1", baud: 4800, name: rear, valid: 5 s}]
            overlays: [{text: "{speed:%.0f} km/h {{1}}", at: top}]
            triggers: [{on: speed>130, do: "run:true"}, "rear.speed < 5,do=run:true"]
            """)
        let sources = try ["gpsd", "nmea:/dev/ttyUSB1,baud=4800,name=rear,valid=5s"].map { try TelemetryArgument($0) }
        #expect(file.rig.telemetry == sources)
        #expect(file.rig.overlays.map(\.values) == [["speed"]])
        #expect(file.rig.triggers.map(\.name) == ["speed", "rear.speed"])
        let again = try RigFile(RigFileWriter.text(of: file), path: "rig.yaml")
        #expect(again.rig.telemetry == sources)
        #expect(again.rig.overlays == file.rig.overlays && again.rig.triggers == file.rig.triggers)
    }

    @Test(
        "are missed where a text or a trigger needs them",
        arguments: [
            ("overlays: [{text: \"{speed} km/h\"}]", "needs the value speed, but there is no source of values"),
            ("triggers: [\"speed>130,do=run:true\"]", "--telemetry gpsd"),
            ("telemetry: [gpsd, \"gpsd:localhost\"]", "given twice"),
            ("telemetry: [{baud: 4800}]", "needs a place"),
            ("overlays: [{text: \"{speed\"}]", "{{ and }} for braces"),
            ("triggers: [\"motion>0.2,do=run:true\"]", "is no cause of a trigger"),
            ("triggers: [\"sund>-20dB,do=run:true\"]", "is no cause of a trigger"),
        ])
    func missed(_ lines: String, _ part: String) {
        let error = #expect(throws: ConfigurationError.self) { try Self.file(lines) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
