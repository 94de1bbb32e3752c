#if Media
internal import Glibc

/// The boxes of an MP4 or QuickTime file, found by reading only their headers.
///
/// Source: ISO/IEC 14496-12, 4.2 "Object structure".
struct MovieBoxes {
    /// A box: its four-character type, and the range of its content in the file.
    struct Box: Equatable {
        let kind: String
        let content: Range<UInt64>
    }

    /// The largest number of boxes that are read within one box.
    private static let mostBoxes = 4096

    /// Reads a number of bytes at an offset of the file; returns fewer at the end of the file.
    let bytes: (UInt64, Int) -> [UInt8]

    /// Returns the boxes in a range of the file, up to the first that does not end within the range.
    func boxes(in range: Range<UInt64>) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while offset < range.upperBound, boxes.count < Self.mostBoxes {
            let head = bytes(offset, 16)
            guard head.count >= 8 else { break }
            var (length, start) = (Self.number(head[..<4]), offset + 8)
            if length == 0 { length = range.upperBound - offset }
            if length == 1 {
                guard head.count == 16 else { break }
                (length, start) = (Self.number(head[8...]), offset + 16)
            }
            let (end, isTooFar) = offset.addingReportingOverflow(length)
            guard !isTooFar, end >= start, end <= range.upperBound else { break }
            boxes.append(Box(kind: String(decoding: head[4..<8], as: UTF8.self), content: start..<end))
            offset = end
        }
        return boxes
    }

    /// Returns the first box at a path of types, from the outermost box to the innermost; nil for none.
    func first(_ kinds: String..., in range: Range<UInt64>) -> Box? {
        var (range, found): (Range<UInt64>, Box?) = (range, nil)
        for kind in kinds {
            guard let box = boxes(in: range).first(where: { $0.kind == kind }) else { return nil }
            (range, found) = (box.content, box)
        }
        return found
    }

    /// True when the first video track states that its samples have the full range.
    ///
    /// GStreamer's demuxer reads matrix, primaries and transfer from the same box, but not the range.
    ///
    /// Source: ISO/IEC 14496-12, 12.1.5 "Colour information".
    ///
    /// - Parameter size: The file's size in bytes.
    /// - Returns: True when the `colr` box has the full-range flag; false without the flag or the box, and for RGB.
    func hasFullRange(size: UInt64) -> Bool {
        guard let track = videoTrack(size: size),
            let table = first("mdia", "minf", "stbl", "stsd", in: track.content),
            table.content.count > Self.tableHead,
            let entry = boxes(in: table.content.lowerBound + Self.tableHead..<table.content.upperBound).first,
            entry.content.count > Self.entryHead,
            let colours = first("colr", in: entry.content.lowerBound + Self.entryHead..<entry.content.upperBound)
        else { return false }
        let values = bytes(colours.content.lowerBound, 11)
        // The two bytes before the flag are the matrix, in which 0 means RGB.
        return values.count == 11 && values.starts(with: Array("nclx".utf8)) && values[10] & 0x80 != 0
            && (values[8], values[9]) != (0, 0)
    }

    /// True when the first video track states that alpha is multiplied into its colours, over black.
    ///
    /// Source: Apple, QuickTime File Format Specification, "Video Media Information Atom", "Graphics Modes".
    ///
    /// - Parameter size: The file's size in bytes.
    /// - Returns: True for premultiplied colours.
    func isPremultiplied(size: UInt64) -> Bool {
        guard let track = videoTrack(size: size), let head = first("mdia", "minf", "vmhd", in: track.content) else {
            return false
        }
        return bytes(head.content.lowerBound + 4, 2) == [1, 2]
    }

    private func videoTrack(size: UInt64) -> Box? {
        guard let movie = first("moov", in: 0..<size) else { return nil }
        return boxes(in: movie.content).first { track in
            guard track.kind == "trak", let handler = first("mdia", "hdlr", in: track.content) else { return false }
            return bytes(handler.content.lowerBound + 8, 4) == Array("vide".utf8)
        }
    }

    /// The size of a table's version, flags and count in bytes.
    private static let tableHead: UInt64 = 8
    /// The size in bytes of a visual sample entry's fields, which precede its boxes.
    private static let entryHead: UInt64 = 78

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension MovieBoxes {
    /// Creates the boxes of an open file.
    init(descriptor: Int32) {
        self.init { offset, count in
            var bytes = [UInt8](repeating: 0, count: count)
            let read = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress, count, off_t(clamping: offset))
            }
            return Array(bytes.prefix(max(0, read)))
        }
    }

    /// The bytes of a number as a file has them, the highest first.
    static func bytes(of number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }

    /// Overwrites bytes of a file.
    ///
    /// When the write fails, the file keeps the bytes that the muxer wrote, and plays.
    static func write(_ bytes: [UInt8], at offset: UInt64, to descriptor: Int32) {
        _ = unsafe bytes.withUnsafeBytes {
            unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(clamping: offset))
        }
    }
}
#endif
