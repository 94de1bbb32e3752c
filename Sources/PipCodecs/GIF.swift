package import PipFrames

/// Reads the headers of GIF files: the size, and the display times.
///
/// ``Pixbuf`` decodes the pictures.
///
/// Source: CompuServe, Graphics Interchange Format, Version 89a.
package enum GIF {
    /// The size and the display times of a GIF file.
    package struct Header: PictureHeader, Equatable, Sendable {
        package let size: PixelSize
        /// The display time of each picture.
        package let durations: [Duration]
    }

    /// Reads the header, and scans all blocks for the display times.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - subject: The file's path, for messages.
    /// - Returns: The header.
    /// - Throws: ``CodecError`` when the file is damaged, truncated or too large, or has no picture or too many.
    package static func header(of bytes: RawSpan, subject: String) throws(CodecError) -> Header {
        guard let width = bytes.uint16(at: 6, isLittleEndian: true), let flags = bytes.byte(at: 10),
            let height = bytes.uint16(at: 8, isLittleEndian: true)
        else { throw CodecError(subject, .damaged, "its header is cut off", .byte(bytes.byteCount)) }
        let size = try PictureLimits.check(width: width, height: height, subject: subject, position: .byte(6))
        var offset = 13 + colorTableBytes(flags)
        var durations: [Duration] = []
        var delay = 0
        while let block = bytes.byte(at: offset), block != trailer {
            switch block {
            case extensionBlock:
                if bytes.byte(at: offset + 1) == controlLabel {
                    delay = bytes.uint16(at: offset + 4, isLittleEndian: true) ?? 0
                }
                offset += 2
            case imageBlock:
                durations.append(PictureLimits.displayTime(milliseconds: delay * 10))
                try PictureLimits.check(pictures: durations.count, subject: subject)
                delay = 0
                // The block's ten bytes, its colour table and the byte with the code size come before its data.
                offset += 10 + colorTableBytes(bytes.byte(at: offset + 9) ?? 0) + 1
            default:
                throw CodecError(subject, .damaged, "it is damaged: no block begins with byte \(block)", .byte(offset))
            }
            while let length = bytes.byte(at: offset), length > 0 { offset += Int(length) + 1 }
            offset += 1
        }
        guard !durations.isEmpty else { throw CodecError(subject, .damaged, "it has no picture") }
        // Some programs omit the trailer, so that the file may end right after its last block.
        guard offset <= bytes.byteCount else { throw CodecError(subject, .damaged, "it is cut off", .byte(offset)) }
        return Header(size: size, durations: durations)
    }

    private static let trailer: UInt8 = 0x3b
    private static let extensionBlock: UInt8 = 0x21
    private static let controlLabel: UInt8 = 0xf9
    private static let imageBlock: UInt8 = 0x2c

    /// The size in bytes of the colour table that a block's flags announce; 0 for no table.
    private static func colorTableBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}
