internal import CSPNG
package import PipFrames

/// Decodes PNG pictures to 8-bit RGBA with premultiplied alpha.
///
/// Pictures may have 1 to 16 bits a sample, may be grey, indexed or RGB, with or without alpha, and may be interlaced.
///
/// Source: W3C, Portable Network Graphics (PNG) Specification, Third Edition.
package enum PNG {
    /// The size and the orientation of the picture in a PNG file.
    package struct Header: PictureHeader, Equatable, Sendable {
        package let size: PixelSize
        /// The orientation from the `eXIf` chunk; the identity when the file has none.
        package let orientation: Orientation
    }

    /// The largest chunk to read, so that a small file cannot demand gigabytes.
    ///
    /// Units: bytes.
    private static let chunkLimit = 64 << 20

    /// Reads the header of a PNG file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - subject: The file's path, for messages.
    /// - Returns: The header.
    /// - Throws: ``CodecError`` when the file is not a PNG file or is damaged, or its picture is too large.
    package static func header(of bytes: RawSpan, subject: String) throws(CodecError) -> Header {
        let size = try checkedSize(of: bytes, subject: subject)
        return unsafe try withContext(bytes, subject) { context throws(CodecError) in
            var header = spng_ihdr()
            try check(unsafe spng_get_ihdr(context, &header), subject)
            var exif = unsafe spng_exif()
            guard unsafe spng_get_exif(context, &exif) == 0, let data = unsafe exif.data else {
                return Header(size: size, orientation: .identity)
            }
            let block = unsafe UnsafeRawBufferPointer(start: data, count: exif.length)
            return Header(size: size, orientation: unsafe EXIF.orientation(ofTIFF: block.bytes))
        }
    }

    /// Decodes the picture of a PNG file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - buffer: The memory for the pixels, as `layout` describes.
    ///   - layout: An RGBA layout of the header's size. Rows may be padded.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` when the file is damaged or too large, or the layout does not fit. If the error's
    ///   position is a row of a picture without interlacing, the rows above hold valid pixels with straight alpha.
    package static func decode(
        _ bytes: RawSpan, into buffer: FrameBuffer, layout: FrameLayout, subject: String
    ) throws(CodecError) {
        try decode(bytes, into: buffer, layout: layout, checksChunks: true, subject: subject)
        buffer.premultiply(layout)
    }

    /// Decodes the picture of a PNG file, with straight alpha.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - buffer: The memory for the pixels, as `layout` describes.
    ///   - layout: An RGBA layout of the header's size.
    ///   - checksChunks: False for a file whose chunks have no valid checksums.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` when the file is damaged or too large, or the layout does not fit.
    static func decode(
        _ bytes: RawSpan, into buffer: FrameBuffer, layout: FrameLayout, checksChunks: Bool, subject: String
    ) throws(CodecError) {
        let size = try checkedSize(of: bytes, subject: subject)
        guard layout.format == .rgba, layout.size == size else {
            throw CodecError(subject, .failed, "a \(size) picture does not fit a \(layout.size) \(layout.format) frame")
        }
        let plane = layout.planes[0]
        let pixels = unsafe UnsafeMutableRawBufferPointer(
            rebasing: buffer.mutableBytes(ofPlane: 0)[plane.offset..<plane.offset + plane.byteCount])
        unsafe try withContext(bytes, subject, checksChunks) { context throws(CodecError) in
            let flags = Int32(SPNG_DECODE_TRNS.rawValue) | Int32(SPNG_DECODE_PROGRESSIVE.rawValue)
            try check(unsafe spng_decode_image(context, nil, 0, Int32(SPNG_FMT_RGBA8.rawValue), flags), subject)
            try unsafe decodeRows(context, into: pixels, plane, subject)
        }
    }

    /// Decodes all rows.
    ///
    /// The rows of an interlaced picture are decoded several times, each time with more of their pixels.
    @unsafe private static func decodeRows(
        _ context: OpaquePointer, into pixels: UnsafeMutableRawBufferPointer, _ plane: PlaneLayout, _ subject: String
    ) throws(CodecError) {
        while true {
            var row = spng_row_info()
            let found = unsafe spng_get_row_info(context, &row)
            if found == SPNG_EOI.rawValue { break }
            try check(found, subject)
            let index = Int(row.row_num)
            let start = index * plane.strideInBytes
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: pixels[start..<start + plane.rowBytes])
            let result = unsafe spng_decode_row(context, target.baseAddress, plane.rowBytes)
            if result == SPNG_EOI.rawValue { break }
            try check(result, subject, .row(index))
        }
        // The remaining chunks hold the checksum of the pixels, and the end of the file.
        try check(unsafe spng_decode_chunks(context), subject)
    }

    /// Reads the size from the header, and checks it before the library allocates memory.
    static func checkedSize(of bytes: RawSpan, subject: String) throws(CodecError) -> PixelSize {
        guard bytes.byte(at: 0) == 0x89, bytes.has("PNG\r\n\u{1a}\n", at: 1) else {
            let start = bytes.isEmpty ? "it is empty" : "it begins with \(bytes.hexadecimal(prefix: 8))"
            throw CodecError(subject, .damaged, "not a PNG file: \(start)", .byte(0))
        }
        guard bytes.has("IHDR", at: 12), let width = bytes.uint32(at: 16), let height = bytes.uint32(at: 20) else {
            throw CodecError(subject, .damaged, "its header is missing or cut off", .byte(8))
        }
        return try PictureLimits.check(width: width, height: height, subject: subject, position: .byte(16))
    }

    private static func withContext<R>(
        _ bytes: RawSpan, _ subject: String, _ checksChunks: Bool = true,
        _ body: (OpaquePointer) throws(CodecError) -> R
    ) throws(CodecError) -> R {
        guard let context = unsafe spng_ctx_new(0) else { throw CodecError(subject, .failed, "out of memory") }
        defer { unsafe spng_ctx_free(context) }
        return try unsafe bytes.withUnsafeBytes { bytes throws(CodecError) in
            unsafe spng_set_image_limits(context, UInt32(PictureLimits.side), UInt32(PictureLimits.side))
            unsafe spng_set_chunk_limits(context, chunkLimit, chunkLimit)
            let (critical, other) = checksChunks ? (SPNG_CRC_ERROR, SPNG_CRC_DISCARD) : (SPNG_CRC_USE, SPNG_CRC_USE)
            unsafe spng_set_crc_action(context, Int32(critical.rawValue), Int32(other.rawValue))
            try check(unsafe spng_set_png_buffer(context, bytes.baseAddress, bytes.count), subject)
            return try unsafe body(context)
        }
    }

    private static func check(
        _ result: Int32, _ subject: String, _ position: CodecError.Position? = nil
    ) throws(CodecError) {
        guard result != 0 else { return }
        let kind: CodecError.Kind = result == SPNG_EMEM.rawValue ? .failed : .damaged
        if result == SPNG_EOF.rawValue || result == SPNG_EIDAT_TOO_SHORT.rawValue {
            throw CodecError(subject, kind, "it is cut off", position)
        }
        let message = unsafe spng_strerror(result).map { unsafe String(cString: $0) } ?? "error \(result)"
        throw CodecError(subject, kind, "it is damaged: \(message)", position)
    }
}
