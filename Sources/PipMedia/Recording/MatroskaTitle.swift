#if Media
internal import Glibc

/// The title in a Matroska file.
///
/// GStreamer's muxer escapes spaces and letters outside ASCII (GStreamer 1.22, `gst_matroska_mux_write_simple_tag`).
/// The muxer therefore gets a placeholder of the title's length, and the title overwrites the placeholder in the file.
///
/// Source: RFC 9559, 5.1.8.1.2.4 "TagString Element"; RFC 8794, 4 "Variable-Size Integer".
struct MatroskaTitle {
    /// The title, of at most 125 bytes, so that the length before the title takes one byte.
    private let title: String

    /// The number of bytes at each end of the file within which the placeholder can lie.
    private static let reach = 65_536
    /// The identifiers of the elements that hold the title: a track's Name, and a tag's TagString.
    private static let elements: [[UInt8]] = [[0x53, 0x6e], [0x44, 0x87]]

    /// Creates the replacement of a placeholder; nil for a title of fewer than 6 bytes, which the muxer gets as it is.
    ///
    /// A placeholder of fewer than 6 bytes could also occur in a picture.
    init?(_ title: String) {
        guard title.utf8.count >= 6 else { return nil }
        self.title = title
    }

    /// The text that the muxer gets in place of the title.
    var placeholder: String { String(repeating: "Q", count: title.utf8.count) }

    /// Overwrites the muxer's placeholder with the title.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading and writing.
    ///   - size: The file's length in bytes.
    /// - Returns: False when no placeholder was found: the muxer has not written it yet, or the title has replaced it.
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
        let (wanted, known) = (Array(title.utf8), Array(placeholder.utf8))
        var isFound = false
        for index in bytes.indices.dropLast(known.count + 2)
        where isLength(bytes[index + 2]) && Self.elements.contains([bytes[index], bytes[index + 1]])
            && bytes[(index + 3)...].starts(with: known)
        {
            // When this write fails, the file keeps the placeholder as its title.
            let offset = off_t(start + index + 3)
            _ = unsafe wanted.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) }
            isFound = true
        }
        return isFound
    }

    /// True for a byte that encodes the placeholder's length, with or without a terminating zero.
    private func isLength(_ byte: UInt8) -> Bool {
        let length = 0x80 | UInt8(clamping: title.utf8.count)
        return byte == length || byte == length + 1
    }
}
#endif
