#if Media
internal import Glibc

/// The title or the comment in a Matroska file.
///
/// GStreamer's muxer escapes spaces and letters outside ASCII (GStreamer 1.22, `gst_matroska_mux_write_simple_tag`).
/// The muxer therefore gets a placeholder, and the text overwrites the placeholder in the file. Zeros follow a text
/// that is shorter than its placeholder.
///
/// Source: RFC 9559, 5.1.8.1.2.4 "TagString Element"; RFC 8794, 4 "Variable-Size Integer", 7.4 "String Element".
struct MatroskaText {
    /// The largest number of bytes, so that the length before the text takes one byte.
    static let longest = 125

    private let text: String
    /// The text that the muxer gets in place of this one.
    let placeholder: String

    /// The number of bytes at each end of the file within which the placeholder can lie.
    private static let reach = 65_536
    /// The identifiers of the elements that hold the text: a track's Name, and a tag's TagString.
    private static let elements: [[UInt8]] = [[0x53, 0x6e], [0x44, 0x87]]

    /// Creates the replacement of a title; nil for a title of fewer than 6 bytes, which the muxer gets as it is.
    ///
    /// A placeholder of fewer than 6 bytes could also occur in a picture.
    init?(title: String) {
        guard title.utf8.count >= 6 else { return nil }
        (text, placeholder) = (title, String(repeating: "Q", count: title.utf8.count))
    }

    /// Creates the replacement of a comment, which may become longer while the file is written.
    ///
    /// - Parameter comment: The comment, of at most ``longest`` bytes.
    init(comment: String) { (text, placeholder) = (comment, String(repeating: "K", count: Self.longest)) }

    /// Overwrites the muxer's placeholder with the text.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading and writing.
    ///   - size: The file's length in bytes.
    /// - Returns: False when no placeholder was found: the muxer has not written it yet, or the text has replaced it.
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
        let known = Array(placeholder.utf8)
        let wanted = Array(text.utf8) + Array(repeating: 0, count: max(0, known.count - text.utf8.count))
        var isFound = false
        for index in bytes.indices.dropLast(known.count + 2)
        where isLength(bytes[index + 2]) && Self.elements.contains([bytes[index], bytes[index + 1]])
            && bytes[(index + 3)...].starts(with: known)
        {
            // When this write fails, the file keeps the placeholder.
            let offset = off_t(start + index + 3)
            _ = unsafe wanted.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) }
            isFound = true
        }
        return isFound
    }

    /// True for a byte that encodes the placeholder's length, with or without a terminating zero.
    private func isLength(_ byte: UInt8) -> Bool {
        let length = 0x80 | UInt8(clamping: placeholder.utf8.count)
        return byte == length || byte == length + 1
    }
}
#endif
