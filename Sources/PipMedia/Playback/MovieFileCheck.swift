#if Media
internal import Glibc
internal import PipSources
internal import SystemPackage

/// Checks a movie file before GStreamer opens it: that it exists and is complete.
///
/// GStreamer plays the beginning of a truncated file without an error.
enum MovieFileCheck {
    /// The result of checking a movie file.
    struct Findings: Equatable {
        /// The truncation as a sentence without its full stop; nil when the file is complete, or when its full size is
        /// unknown.
        let truncation: String?
        /// True when an MP4 file states that its samples have the full range.
        let hasFullRange: Bool
        /// True when a QuickTime file states that alpha is multiplied into its colours.
        let isPremultiplied: Bool
        /// True for an MPEG transport stream: its packets begin with a fixed byte.
        let isTransportStream: Bool
        /// True for a recording that was not completed: it is being written, or was interrupted.
        let isUnfinished: Bool
        /// False for an MP4 or QuickTime file without the box `moov`, of which nothing can be played.
        let hasIndex: Bool
    }

    /// The largest number of boxes that are read at the top level of an MP4 file.
    private static let mostBoxes = 4096

    /// Checks that a file is complete, and reads the other properties of ``Findings``.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The findings.
    /// - Throws: ``PipSources/SourceError`` when there is no readable file at the path, or when the file is empty.
    static func findings(of path: String) throws(SourceError) -> Findings {
        // `O_NONBLOCK` keeps `open` from waiting when the path is a pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SourceError(path, "open", Errno(rawValue: errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw SourceError(path, "open", Errno(rawValue: errno))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw SourceError(path, "open", .invalidOptions, "it is a folder; name a file in it")
        default:
            throw SourceError(path, "open", .invalidOptions, "a movie must be a file, not a pipe or a device")
        }
        let size = UInt64(max(0, status.st_size))
        guard size > 0 else { throw SourceError(path, "open", .damaged, "it is empty") }
        func bytes(_ offset: UInt64, _ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let read = unsafe pread(descriptor, &bytes, count, off_t(offset))
            return Array(bytes.prefix(max(0, read)))
        }
        let wanted = claimedSize(of: size, bytes) ?? size
        return Findings(
            truncation: wanted > size ? "it is cut off: it should have \(wanted) bytes, but has \(size)" : nil,
            hasFullRange: MovieBoxes(bytes: bytes).hasFullRange(size: size),
            isPremultiplied: MovieBoxes(bytes: bytes).isPremultiplied(size: size),
            // Packets of 188 bytes, without or with a time of four bytes before each.
            isTransportStream: [0, 4].contains { bytes($0, 1) == [0x47] && bytes(2 * $0 + 188, 1) == [0x47] },
            isUnfinished: wanted > size || isUnfinished(size, bytes),
            hasIndex: !isBoxed(bytes(0, 8)) || MovieBoxes(bytes: bytes).first("moov", in: 0..<size) != nil)
    }

    /// True for an MP4 file in fragments, which its header announces before the second one is there, and for a
    /// Matroska file whose segment states no size: completing a recording changes both.
    private static func isUnfinished(_ size: UInt64, _ bytes: @escaping (UInt64, Int) -> [UInt8]) -> Bool {
        if bytes(0, 4) == [0x1A, 0x45, 0xDF, 0xA3] { return matroskaSize(bytes) == nil }
        let boxes = MovieBoxes(bytes: bytes)
        return boxes.first("moof", in: 0..<size) != nil || boxes.first("moov", "mvex", in: 0..<size) != nil
    }

    /// Returns the file size that the content states; nil when the content states none.
    ///
    /// - Parameters:
    ///   - size: The file's real size in bytes.
    ///   - bytes: Reads bytes at an offset, fewer at the end of the file.
    /// - Returns: The end of the last box, or of the Matroska segment, in bytes.
    static func claimedSize(of size: UInt64, _ bytes: (UInt64, Int) -> [UInt8]) -> UInt64? {
        let head = bytes(0, 8)
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return matroskaSize(bytes) }
        return isBoxed(head) ? boxedSize(size, bytes) : nil
    }

    /// True for the first eight bytes of an MP4 or QuickTime file.
    private static func isBoxed(_ head: [UInt8]) -> Bool {
        let kinds = ["ftyp", "moov", "mdat", "free", "skip", "wide", "styp", "pnot"]
        return head.count == 8 && kinds.contains(String(decoding: head[4...], as: UTF8.self))
    }

    /// Returns the end of the last box of an MP4 or QuickTime file; nil for a box with an invalid length.
    ///
    /// Source: ISO/IEC 14496-12, 4.2 "Object structure".
    private static func boxedSize(_ size: UInt64, _ bytes: (UInt64, Int) -> [UInt8]) -> UInt64? {
        var offset: UInt64 = 0
        for _ in 0..<mostBoxes where offset < size {
            let head = bytes(offset, 16)
            guard head.count >= 8 else { return offset + 8 }
            var length = number(head[..<4])
            if length == 0 { return size }
            if length == 1 {
                guard head.count == 16 else { return offset + 16 }
                length = number(head[8...])
            }
            let (end, isTooFar) = offset.addingReportingOverflow(length)
            guard length >= 8, !isTooFar else { return nil }
            offset = end
        }
        return offset
    }

    /// Returns the end of a Matroska file's segment, which spans the file; nil when no segment states its size.
    ///
    /// Source: RFC 8794 "Extensible Binary Meta Language", 4 "Variable-Size Integer".
    private static func matroskaSize(_ bytes: (UInt64, Int) -> [UInt8]) -> UInt64? {
        guard let header = variableNumber(bytes(4, 8)), header.value < 1 << 20 else { return nil }
        let start = 4 + UInt64(header.length) + header.value
        guard bytes(start, 4) == [0x18, 0x53, 0x80, 0x67], let segment = variableNumber(bytes(start + 4, 8)) else {
            return nil
        }
        // A size whose bits are all ones means "unknown", as in a file that was never completed.
        guard segment.value < (UInt64(1) << (7 * UInt64(segment.length))) - 1 else { return nil }
        return start + 4 + UInt64(segment.length) + segment.value
    }

    private static func variableNumber(_ bytes: [UInt8]) -> (value: UInt64, length: Int)? {
        guard let first = bytes.first, first != 0 else { return nil }
        let length = first.leadingZeroBitCount + 1
        guard bytes.count >= length else { return nil }
        let value = number(bytes[..<length])
        return (value & ((UInt64(1) << (7 * UInt64(length))) - 1), length)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
#endif
