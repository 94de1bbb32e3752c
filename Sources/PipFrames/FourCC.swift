/// A pixel format's four-character code in V4L2's and DRM's encoding, with the first character in the lowest byte.
public struct FourCC: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as V4L2 stores it: the first character in the lowest byte, and bit 31 set for big-endian variants.
    public let rawValue: UInt32

    /// Creates a code from V4L2's or DRM's numeric code.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a code from up to four ASCII characters; a shorter text is padded with spaces, as in `Y16 `.
    public init(_ characters: String) {
        var bytes = Array(characters.utf8.prefix(4))
        while bytes.count < 4 { bytes.append(UInt8(ascii: " ")) }
        rawValue = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The code's characters without spaces at the end, with `?` for unprintable characters.
    ///
    /// Big-endian variants (bit 31 set) end with `-BE`.
    public var description: String {
        var text = ""
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            let byte = UInt8(truncatingIfNeeded: rawValue >> shift) & 0x7f
            text.unicodeScalars.append(byte >= 0x20 && byte < 0x7f ? Unicode.Scalar(byte) : "?")
        }
        while text.hasSuffix(" ") { text.removeLast() }
        return rawValue >> 31 == 1 ? text + "-BE" : text
    }
}
