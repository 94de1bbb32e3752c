internal import PipCompose
package import PipInputs
internal import PipText

/// `--telemetry SOURCE[,option]…`: a source of values for texts and triggers.
///
/// ```
/// gpsd                        a GPS receiver by gpsd on this machine; gpsd:HOST or gpsd:HOST:PORT elsewhere
/// nmea:/dev/ttyACM0,baud=9600 a GPS receiver that speaks NMEA 0183
/// json:/run/values            a pipe, serial port or file with a JSON object on each line
/// can:can0,dbc=truck.dbc      the signals of a CAN bus, by a DBC file; signals=A+B for some of them
/// track:drive.gpx             an old drive, for texts and gauges on its movie: GPX, or CSV; start=TIME, offset=-2s
/// accelerometer:NAME          the machine's accelerometer, in g without gravity; NAME for one of several
/// api                         what clients of the panel's API and the app send
/// ```
///
/// The options are `baud` for serial ports, `dbc` and `signals` for buses, and `start` and `offset` for tracks. Any
/// source has `name` for a name before each value's own, and `valid` for the time for which a value counts as present.
package struct TelemetryArgument: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case gpsd, nmea, json, can, track, accelerometer, api
    }

    package let kind: Kind
    /// The device to read; nil for values that others send.
    package let request: InputRequest?
    /// The name that stands before each value's own, with a full stop between them; nil for none.
    package let name: String?
    /// The signals of a bus; nil for another source.
    package let database: CANDatabase?
    /// The values of an old drive; nil for another source.
    let track: RecordedTrack?
    package let validity: Duration
    /// The text that the user typed.
    package let text: String

    static let options = ["baud", "dbc", "signals", "start", "offset", "name", "valid"]
    private static let usage =
        "write gpsd, gpsd:HOST:PORT, nmea:/dev/ttyACM0,baud=9600, json:/run/values, can:can0,dbc=FILE, "
        + "track:drive.gpx, accelerometer or api"

    package init(_ text: String) throws(UsageError) {
        self.text = text
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let halves = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = Kind(rawValue: halves[0]) else {
            throw UsageError("\(valueText(text)) is no source of values: \(Self.usage)")
        }
        var values: [String: String] = [:]
        for item in parts.dropFirst().map({ LayoutItem($0) }) {
            guard let value = item.value, !value.isEmpty else {
                throw UsageError("\(text): each option needs a value, such as valid=5s")
            }
            guard Self.options.contains(item.key) else {
                throw NearestName.unknown("option of a source of values", item.key, among: Self.options)
            }
            values[item.key] = value
        }
        self.kind = kind
        let place = halves.count == 2 ? halves[1] : ""
        database = try Self.database(kind, values, text)
        track = try Self.track(kind, place, values, text)
        request = try Self.request(kind, place, baud: values["baud"], database, text)
        name = values["name"]
        if let name, !ReadoutFormat.isName(name) {
            throw UsageError("\(text): name is \(name), but must have letters, digits, _, - and full stops only")
        }
        validity = try values["valid"].map { text throws(UsageError) in try Duration(argument: text) } ?? .seconds(3)
    }

    private static func request(
        _ kind: Kind, _ place: String, baud: String?, _ database: CANDatabase?, _ text: String
    ) throws(UsageError) -> InputRequest? {
        if baud != nil, kind != .nmea, kind != .json {
            throw UsageError("\(text): baud is for a serial port of nmea or json")
        }
        switch kind {
        case .api:
            guard place.isEmpty else { throw UsageError("\(text): api has no place") }
            return nil
        case .track: return nil
        case .accelerometer: return .acceleration(sensor: place.isEmpty ? nil : place)
        case .gpsd:
            let (host, port) = try server(place, text)
            return .text(LinesRequest(.server(host: host, port: port), greeting: GPSDReport.greeting))
        case .can:
            // The kernel's names of interfaces have at most 15 bytes.
            guard let database, (1...15).contains(place.utf8.count), !place.contains("/") else {
                throw UsageError("\(text) names no bus: write can:can0,dbc=FILE")
            }
            return .messages(CANRequest(interface: place, filters: database.filters))
        case .nmea, .json: break
        }
        guard !place.isEmpty else { throw UsageError("\(valueText(text)) names no port, pipe or file: \(usage)") }
        var rate = 9600
        if let baud {
            guard let number = Int(baud), SerialPort.rates.contains(number) else {
                let rates = SerialPort.rates.map(String.init).joined(separator: ", ")
                throw UsageError("\(text): baud is \(baud), but must be one of \(rates)")
            }
            rate = number
        }
        return .text(LinesRequest(.file(place, baud: rate)))
    }

    /// The values of an old drive; nil for another source.
    private static func track(
        _ kind: Kind, _ place: String, _ options: [String: String], _ text: String
    ) throws(UsageError) -> RecordedTrack? {
        guard kind == .track else {
            for key in ["start", "offset"] where options[key] != nil {
                throw UsageError("\(text): \(key) is for an old drive, as in track:drive.gpx")
            }
            return nil
        }
        guard !place.isEmpty else {
            throw UsageError("\(text) names no file: write track:drive.gpx or track:values.csv")
        }
        let start = try options["start"].map { value throws(UsageError) in
            guard let time = WallTime(dateTime: value) else {
                throw UsageError("\(text): start is \(value), but must be a time such as 2026-03-01T12:00:00Z")
            }
            return time
        }
        let offset = try options["offset"].map { value throws(UsageError) in
            value.hasPrefix("-")
                ? .zero - (try Duration(argument: String(value.dropFirst()))) : try Duration(argument: value)
        }
        return try RecordedTrack(path: place, start: start, offset: offset ?? .zero)
    }

    /// The signals of a bus; nil for another source.
    private static func database(
        _ kind: Kind, _ options: [String: String], _ text: String
    ) throws(UsageError) -> CANDatabase? {
        guard kind == .can else {
            for key in ["dbc", "signals"] where options[key] != nil {
                throw UsageError("\(text): \(key) is for a bus, as in can:can0,dbc=FILE")
            }
            return nil
        }
        guard let path = options["dbc"] else {
            throw UsageError("\(text): a bus needs the file of its signals, as in can:can0,dbc=FILE")
        }
        let names = options["signals"]?.split(separator: "+").map(String.init)
        guard names?.isEmpty != true else { throw UsageError("\(text): signals names none: write signals=A+B") }
        return try CANDatabase(path: path, names: names)
    }

    /// The host and port of a gpsd: `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` or nothing.
    private static func server(_ place: String, _ text: String) throws(UsageError) -> (String, UInt16) {
        guard !place.isEmpty else { return ("localhost", GPSDReport.port) }
        let authority = Authority(place[...])
        let port = authority.port == nil ? Int(GPSDReport.port) : authority.portNumber()
        guard !authority.host.isEmpty, authority.userinfo == nil, let port else {
            throw UsageError("\(text) must name a host and a port: gpsd:192.168.1.5:2947")
        }
        return (authority.host, UInt16(port))
    }
}
