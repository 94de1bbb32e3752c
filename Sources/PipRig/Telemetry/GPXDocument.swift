internal import CExpat
internal import Glibc
internal import PipCompose
internal import PipFrames

/// The places in a GPX document, in its order.
///
/// Places without a time are left out. Where no place has a speed, speeds and headings are those from place to place.
///
/// Source: GPX 1.0 and 1.1; extensions with `speed` and `course`, such as Garmin's TrackPointExtension 2.
struct GPXDocument {
    /// The longest time between two places from which a speed follows.
    private static let longestGap = Duration.seconds(10)

    private(set) var fixes: [PositionFix] = []

    /// - Throws: ``Mistake`` for a document that is not well formed.
    init(_ bytes: [UInt8]) throws(Mistake) {
        let reader = Reader()
        try reader.read(bytes)
        fixes = reader.fixes
        if fixes.allSatisfy({ $0.speed == nil }) { addSpeeds() }
    }

    private mutating func addSpeeds() {
        for (last, next) in zip(fixes.indices, fixes.indices.dropFirst()) {
            guard let from = fixes[last].place, let to = fixes[next].place, let begin = fixes[last].time,
                let end = fixes[next].time
            else { continue }
            let gap = end.sinceEpoch - begin.sinceEpoch
            guard gap > .zero, gap <= Self.longestGap else { continue }
            let way = from.way(to: to)
            fixes[next].speed = way.length / gap.inSeconds
            fixes[next].heading = fixes[next].heading ?? way.heading
        }
    }

    /// The reason why a document cannot be read, as a part of a sentence.
    struct Mistake: Error { let reason: String }
}

/// A place on the earth.
private struct Place {
    /// Units: radians.
    let (latitude, longitude): (Double, Double)

    /// The way to a place nearby: its length in metres, and its direction in degrees, clockwise from north.
    func way(to other: Place) -> (length: Double, heading: Double) {
        let radius = 6_371_008.8
        let north = (other.latitude - latitude) * radius
        let turn = (other.longitude - longitude).remainder(dividingBy: 2 * .pi)
        let east = turn * cos((latitude + other.latitude) / 2) * radius
        let heading = atan2(east, north) * 180 / .pi
        return ((north * north + east * east).squareRoot(), heading < 0 ? heading + 360 : heading)
    }
}

extension PositionFix {
    fileprivate var place: Place? {
        guard let latitude, let longitude else { return nil }
        return Place(latitude: latitude * .pi / 180, longitude: longitude * .pi / 180)
    }
}

/// Collects the places of a document, which Expat parses.
private final class Reader {
    /// The longest text of an element that counts, in bytes.
    private static let longestText = 64

    private(set) var fixes: [PositionFix] = []
    /// The place whose element is open; nil outside of one.
    private var open: PositionFix?
    private var text: [UInt8] = []

    func read(_ bytes: [UInt8]) throws(GPXDocument.Mistake) {
        guard let parser = unsafe XML_ParserCreate(nil) else {
            throw GPXDocument.Mistake(reason: "memory is exhausted")
        }
        defer { unsafe XML_ParserFree(parser) }
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let context = unsafe context, let name = unsafe name else { return }
                var values: [String: String] = [:]
                var index = 0
                while let key = unsafe attributes?[index], let value = unsafe attributes?[index + 1] {
                    values[unsafe String(cString: key)] = unsafe String(cString: value)
                    index += 2
                }
                unsafe Reader.of(context).begin(unsafe String(cString: name), values)
            },
            { context, name in
                guard let context = unsafe context, let name = unsafe name else { return }
                unsafe Reader.of(context).end(unsafe String(cString: name))
            })
        unsafe XML_SetCharacterDataHandler(parser) { context, bytes, count in
            guard let context = unsafe context, let bytes = unsafe bytes else { return }
            unsafe Reader.of(context).add(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
        let isRead = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe XML_Parse(parser, start, CInt(bytes.count), 1) == XML_STATUS_OK
        }
        guard isRead else {
            let message = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) } ?? ""
            let line = unsafe pip_expat_line(parser)
            throw GPXDocument.Mistake(reason: "line \(line): \(message)")
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> Reader {
        unsafe Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue()
    }

    private func begin(_ name: String, _ attributes: [String: String]) {
        text = []
        guard Self.local(name) == "trkpt" else { return }
        var fix = PositionFix()
        fix.latitude = attributes["lat"].flatMap { Double($0) }
        fix.longitude = attributes["lon"].flatMap { Double($0) }
        open = fix
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
        guard open != nil, text.count <= Self.longestText else { return }
        unsafe text += bytes.prefix(Self.longestText + 1)
    }

    private func end(_ name: String) {
        let text = String(decoding: text, as: UTF8.self).trimmed
        self.text = []
        switch Self.local(name) {
        case "ele": open?.altitude = Double(text)
        case "time": open?.time = WallTime(dateTime: text)
        case "speed": open?.speed = Double(text)
        case "course": open?.heading = Double(text)
        case "sat": open?.satellites = Int(text)
        case "trkpt":
            if let fix = open, fix.time != nil, fixes.count <= RecordedTrack.mostPoints { fixes.append(fix) }
            open = nil
        default: break
        }
    }

    /// A name without the prefix of its namespace.
    private static func local(_ name: String) -> Substring { name.split(separator: ":").last ?? "" }
}
