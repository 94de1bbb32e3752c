#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames

/// The date in a Matroska file, which GStreamer 1.22 writes once and does not read.
///
/// Source: RFC 9559, 5.1.2 "Info Element", 5.1.2.11 "DateUTC Element": nanoseconds since 2001-01-01 in UTC.
struct MatroskaDate {
    private let descriptor: Int32
    /// The position of the date's eight bytes in the file.
    private let position: Int
    /// The date that the file has.
    let time: WallTime

    /// The seconds from 1970 to 2001.
    private static let epoch = Duration.seconds(978_307_200)
    /// The number of bytes at the file's beginning within which the date lies.
    private static let reach = 65_536
    /// The identifier of the element with the date, and the length of the date.
    private static let element: [UInt8] = [0x44, 0x61, 0x88]

    /// Finds the date in a file; nil when there is none.
    ///
    /// - Parameter descriptor: The file, open for reading.
    init?(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: Self.reach)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        bytes.removeLast(bytes.count - max(0, count))
        guard let info = Self.index(of: [0x15, 0x49, 0xa9, 0x66], in: bytes[...]),
            let element = Self.index(of: Self.element, in: bytes[info...]), element + 11 <= bytes.count
        else { return nil }
        (self.descriptor, position) = (descriptor, element + Self.element.count)
        let value = bytes[position..<position + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        time = WallTime(sinceEpoch: Self.epoch + .nanoseconds(Int64(bitPattern: value)))
    }

    /// Reads the date of a file; nil when there is none.
    static func time(inFile path: String) -> WallTime? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return MatroskaDate(descriptor)?.time
    }

    /// Overwrites the date; a file that cannot be written keeps its date.
    func write(_ time: WallTime) {
        let value = UInt64(bitPattern: (time.sinceEpoch - Self.epoch).nanoseconds)
        let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(position)) }
    }

    private static func index(of known: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: known) }
    }
}
#endif
