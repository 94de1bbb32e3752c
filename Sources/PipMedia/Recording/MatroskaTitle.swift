#if Media
internal import Glibc

/// The title of a Matroska file.
///
/// The engine's muxer writes a text with spaces or other letters than ASCII with marks of escape (GStreamer 1.22,
/// `gst_matroska_mux_write_simple_tag`). It gets another text as long as the title, in whose place the title comes.
///
/// Source: RFC 9559, 5.1.8.1.2.4 "TagString Element"; RFC 8794, 4 "Variable-Size Integer".
struct MatroskaTitle {
    /// Has at most 125 bytes, so that its length takes one byte.
    private let title: String

    /// Bytes at the file's beginning and at its end that the text lies in.
    private static let reach = 65_536
    /// The elements that have it: a track's Name, and a tag's TagString.
    private static let elements: [[UInt8]] = [[0x53, 0x6e], [0x44, 0x87]]

    /// Nil for a few letters, which the muxer gets as they are: lest bytes of a picture are taken for them.
    init?(_ title: String) {
        guard title.utf8.count >= 6 else { return nil }
        self.title = title
    }

    /// The text that the muxer gets.
    var standIn: String { String(repeating: "Q", count: title.utf8.count) }

    /// Puts the title in the place of the text that the muxer has written.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading and writing.
    ///   - size: Its length in bytes.
    /// - Returns: False when the text is not there yet.
    func write(to descriptor: Int32, size: Int) -> Bool {
        let head = replace(in: descriptor, from: 0, to: min(size, Self.reach))
        let tail = replace(in: descriptor, from: max(Self.reach, size - Self.reach), to: size)
        return head || tail
    }

    private func replace(in descriptor: Int32, from start: Int, to end: Int) -> Bool {
        guard start < end else { return false }
        var bytes = [UInt8](repeating: 0, count: end - start)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, $0.count, off_t(start))
        }
        guard count == bytes.count else { return false }
        let (wanted, known) = (Array(title.utf8), Array(standIn.utf8))
        var isFound = false
        for index in bytes.indices.dropLast(known.count + 2)
        where isLength(bytes[index + 2]) && Self.elements.contains([bytes[index], bytes[index + 1]])
            && bytes[(index + 3)...].starts(with: known)
        {
            // A file that does not take it says the other text.
            let offset = off_t(start + index + 3)
            _ = unsafe wanted.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) }
            isFound = true
        }
        return isFound
    }

    /// True for the length of the text, with the zero behind it or without.
    private func isLength(_ byte: UInt8) -> Bool {
        let length = 0x80 | UInt8(clamping: title.utf8.count)
        return byte == length || byte == length + 1
    }
}
#endif
