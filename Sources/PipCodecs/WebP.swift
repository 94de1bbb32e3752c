internal import CWebP
package import PipFrames

/// Reads the headers of WebP pictures, still or animated.
///
/// ``WebPDecoder`` decodes the pictures to 8-bit RGBA with premultiplied alpha.
///
/// Source: RFC 9649, WebP Image Format.
package enum WebP {
    /// The header of a WebP file: size, orientation, and the durations of its pictures.
    package struct Header: PictureHeader, Equatable, Sendable {
        package let size: PixelSize
        /// The orientation from the `EXIF` chunk; the identity when the file has none.
        package let orientation: Orientation
        /// The display time of each picture; one element for a still picture.
        package let durations: [Duration]
    }

    /// Reads the header of a WebP file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - subject: The file's path, for messages.
    /// - Returns: The header.
    /// - Throws: ``CodecError`` when the file is not a WebP file, is damaged, truncated or too large, or has too many
    ///   pictures.
    package static func header(of bytes: RawSpan, subject: String) throws(CodecError) -> Header {
        guard bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) else {
            let start = bytes.isEmpty ? "it is empty" : "it begins with \(bytes.hexadecimal(prefix: 12))"
            throw CodecError(subject, .damaged, "not a WebP file: \(start)", .byte(0))
        }
        return try unsafe bytes.withUnsafeBytes { bytes throws(CodecError) in
            var data = unsafe WebPData(bytes)
            guard let demuxer = unsafe WebPDemux(&data) else {
                throw CodecError(subject, .damaged, "it is damaged or cut off")
            }
            defer { unsafe WebPDemuxDelete(demuxer) }
            let size = try PictureLimits.check(
                width: Int(unsafe WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH)),
                height: Int(unsafe WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT)), subject: subject)
            return Header(
                size: size, orientation: unsafe orientation(demuxer),
                durations: try unsafe durations(demuxer, subject: subject))
        }
    }

    private static func durations(_ demuxer: OpaquePointer, subject: String) throws(CodecError) -> [Duration] {
        let count = Int(unsafe WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT))
        try PictureLimits.check(pictures: count, subject: subject)
        var durations: [Duration] = []
        var frame = unsafe WebPIterator()
        defer { unsafe WebPDemuxReleaseIterator(&frame) }
        var isFound = unsafe WebPDemuxGetFrame(demuxer, 1, &frame)
        while isFound != 0 {
            durations.append(PictureLimits.displayTime(milliseconds: Int(unsafe frame.duration)))
            isFound = unsafe WebPDemuxNextFrame(&frame)
        }
        guard !durations.isEmpty else { throw CodecError(subject, .damaged, "it has no picture") }
        return durations
    }

    private static func orientation(_ demuxer: OpaquePointer) -> Orientation {
        var chunk = unsafe WebPChunkIterator()
        guard unsafe WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk) != 0 else { return .identity }
        defer { unsafe WebPDemuxReleaseChunkIterator(&chunk) }
        let block = unsafe UnsafeRawBufferPointer(start: chunk.chunk.bytes, count: chunk.chunk.size)
        // Some programs keep the six bytes that come before the TIFF block in JPEG files.
        let isMarked = unsafe block.bytes.has("Exif", at: 0)
        return unsafe EXIF.orientation(
            ofTIFF: UnsafeRawBufferPointer(rebasing: block.dropFirst(isMarked ? 6 : 0)).bytes)
    }
}

/// Decodes the pictures of a WebP file, each composited with the earlier pictures.
@safe package final class WebPDecoder: AnimationDecoder {
    /// The file, kept because the library reads its memory while it decodes.
    private let content: ByteBuffer
    private let header: WebP.Header
    private let subject: String
    private let decoder: OpaquePointer
    private var index = 0

    /// - Parameters:
    ///   - content: The file, which must not change.
    ///   - header: The file's header.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` when memory is lacking.
    package init(_ content: ByteBuffer, _ header: WebP.Header, subject: String) throws(CodecError) {
        (self.content, self.header, self.subject) = (content, header, subject)
        var options = WebPAnimDecoderOptions()
        unsafe WebPAnimDecoderOptionsInit(&options)
        options.color_mode = MODE_rgbA
        let made = unsafe content.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                var data = unsafe WebPData(bytes)
                return unsafe WebPAnimDecoderNew(&data, &options)
            }
        }
        guard let decoder = unsafe made else { throw CodecError(subject, .failed, "out of memory") }
        unsafe self.decoder = unsafe decoder
    }

    deinit { unsafe WebPAnimDecoderDelete(decoder) }

    package func next(into buffer: FrameBuffer, _ layout: FrameLayout) throws(CodecError) -> Bool {
        guard index < header.durations.count else { return false }
        index += 1
        var pixels: UnsafeMutablePointer<UInt8>?
        var end: CInt = 0
        guard unsafe WebPAnimDecoderGetNext(decoder, &pixels, &end) != 0, let pixels = unsafe pixels else {
            throw CodecError(subject, .damaged, "picture \(index) of \(header.durations.count) is damaged")
        }
        let rows = unsafe UnsafeRawBufferPointer(start: pixels, count: header.size.area * 4)
        unsafe buffer.fill(layout, with: rows.bytes)
        return true
    }
}

extension WebPData {
    @unsafe fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
    }
}
