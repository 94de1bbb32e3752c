internal import Glibc
internal import PipCompose
internal import PipSinks
internal import PipText

/// A file to which values are added while a composition runs.
///
/// Whatever ends the program, the file is whole: each addition to a GPX file writes the end of the document, too, and
/// the next one takes its place.
///
/// Thread: one at a time.
final class TrackFile {
    /// The longest time between two places that are joined by a line.
    private static let longestGap = Duration.seconds(10)

    let argument: TrackArgument
    let path: String
    private let descriptor: Int32
    /// The number of bytes before the end of the document.
    private var length = 0
    /// The readings that were written last, by their names.
    private var written: [String: Telemetry.Reading] = [:]
    /// The time of the last place; nil before the first.
    private var lastPlace: Timestamp?

    /// Creates a file, with a number in its name where the name is taken.
    ///
    /// - Throws: ``SinkError`` when the file cannot be created.
    init(_ argument: TrackArgument) throws(SinkError) {
        self.argument = argument
        let names = try FileNames(argument.path)
        let now = Int(WallTime.now.sinceEpoch.components.seconds)
        var (path, descriptor) = ("", Int32(-1))
        for again in 1...1000 where descriptor < 0 {
            path = names.path(number: again, at: now, again: names.hasNumber ? 1 : again)
            descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor < 0, errno != EEXIST { break }
        }
        guard descriptor >= 0 else { throw .cannotCreate(path, errno: errno) }
        (self.path, self.descriptor) = (path, descriptor)
        do throws(SinkError) { try add(argument.kind == .gpx ? GPX.head : "time,name,value\n") } catch {
            _ = unsafe unlink(path)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Adds the values that have come since the last call.
    ///
    /// - Throws: ``SinkError`` when the disk is full or refuses; the next call tries the same values again.
    func add(_ readings: Telemetry.Readings, _ clock: MonotonicClock) throws(SinkError) {
        let changed = readings.all.filter { written[$0.key]?.time != $0.value.time }
        guard !changed.isEmpty else { return }
        func text(of time: Timestamp) -> String { WallTime(of: time, by: clock).shown.dateTime(isUniversal: true) }
        switch argument.kind {
        case .csv:
            let lines = changed.sorted { ($0.value.time, $0.key) < ($1.value.time, $1.key) }.map { name, reading in
                CSV.line([text(of: reading.time), name, CSV.text(of: reading.value)])
            }
            try add(lines.joined())
        case .gpx:
            guard let place = GPX.Place(readings, name: argument.name), place.time != lastPlace else { break }
            let isApart = lastPlace.map { $0.duration(to: place.time) > Self.longestGap } ?? false
            try add((isApart ? GPX.gap : "") + place.text(text(of: place.time)))
            lastPlace = place.time
        }
        written = readings.all
    }

    private func add(_ text: String) throws(SinkError) {
        let bytes = Array((text + (argument.kind == .gpx ? GPX.end : "")).utf8)
        let count = unsafe pwrite(descriptor, bytes, bytes.count, off_t(length))
        guard count == bytes.count else {
            throw SinkError(path, "write", .failed, systemMessage(count < 0 ? errno : ENOSPC))
        }
        length += text.utf8.count
    }
}

/// The text of a GPX document.
///
/// Source: GPX 1.1, and Garmin's TrackPointExtension 2 for the speed and the course.
private enum GPX {
    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="pip-compose" xmlns="http://www.topografix.com/GPX/1/1"
         xmlns:e="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
        <trk><trkseg>

        """
    static let end = "</trkseg></trk>\n</gpx>\n"
    static let gap = "</trkseg><trkseg>\n"

    /// A place with its speed and course.
    struct Place {
        let time: Timestamp
        private let latitude: Double
        private let longitude: Double
        private let altitude: Double?
        private let speed: Double?
        private let heading: Double?

        /// Takes the newest place of a receiver; nil without one.
        init?(_ readings: Telemetry.Readings, name: String?) {
            guard let newest = readings.all[Self.full("latitude", name)]?.time else { return nil }
            // The values of one report have one time.
            func number(_ key: String) -> Double? {
                guard let reading = readings.all[Self.full(key, name)], reading.time == newest,
                    case .number(let number) = reading.value
                else { return nil }
                return number
            }
            guard let latitude = number("latitude"), let longitude = number("longitude") else { return nil }
            (self.latitude, self.longitude, time) = (latitude, longitude, newest)
            (altitude, speed, heading) = (number("altitude"), number("speed"), number("heading"))
        }

        private static func full(_ key: String, _ name: String?) -> String { name.map { "\($0).\(key)" } ?? key }

        func text(_ time: String) -> String {
            var text = "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">"
            if let altitude { text += "<ele>\(altitude)</ele>" }
            text += "<time>\(time)</time>"
            if speed != nil || heading != nil {
                text += "<extensions><e:TrackPointExtension>"
                if let speed { text += "<e:speed>\(speed / 3.6)</e:speed>" }
                if let heading { text += "<e:course>\(heading)</e:course>" }
                text += "</e:TrackPointExtension></extensions>"
            }
            return text + "</trkpt>\n"
        }
    }
}

/// The text of a CSV file.
///
/// Source: RFC 4180.
private enum CSV {
    static func text(of value: Telemetry.Value) -> String {
        switch value {
        case .number(let number): "\(number)"
        case .text(let text): text
        }
    }

    static func line(_ fields: [String]) -> String {
        fields.map { field in
            guard field.contains(where: { ",\"\r\n".contains($0) }) else { return field }
            return "\"\(field.replacing("\"", with: "\"\""))\""
        }.joined(separator: ",") + "\n"
    }
}
