internal import CSPNG
package import PipFrames

/// Encodes pictures as 8-bit PNG files: RGB when every pixel is opaque, otherwise RGBA, and grey for grey frames.
///
/// The encoder reuses the memory of its row for further pictures of the same row size.
///
/// Thread: any, but one at a time.
///
/// Source: W3C, Portable Network Graphics (PNG) Specification, Third Edition.
package final class PNGEncoder {
    /// The formats that ``encode(_:into:subject:)`` accepts.
    package static let formats: [PixelFormat] = [.rgba, .rgbx, .rgb24, .gray]

    /// zlib's compression level, 0…9.
    private let compression: Int
    private var row: [UInt8] = []

    /// - Parameter compression: zlib's level, from 0 (none) to 9. Above 3, encoding gets slower, but files of video
    ///   frames hardly get smaller.
    package init(compression: Int = 2) { self.compression = min(max(compression, 0), 9) }

    /// Encodes a picture.
    ///
    /// - Parameters:
    ///   - frame: The picture, in one of ``formats``. The encoder divides the colours by the premultiplied alpha.
    ///   - output: The buffer, whose contents are replaced by the file.
    ///   - subject: The file's path, for messages.
    ///   - tags: The metadata for the file's `eXIf` chunk; nil for a file without the chunk.
    /// - Throws: ``CodecError`` when the frame's format is not supported, or encoding fails.
    package func encode(
        _ frame: Frame, into output: ByteBuffer, subject: String, tags: PictureTags? = nil
    ) throws(CodecError) {
        guard Self.formats.contains(frame.layout.format) else {
            throw CodecError(
                subject, .unsupported,
                "a PNG file is made from rgba, rgbx, rgb24 or gray, not from \(frame.layout.format)")
        }
        output.removeAll()
        guard let context = unsafe spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
            throw CodecError(subject, .failed, "out of memory")
        }
        // The library reads the tags while it encodes, so the block must live until the encoding ends.
        let block = unsafe UnsafeMutableBufferPointer<UInt8>(copying: tags?.tiff ?? [])
        defer {
            unsafe spng_ctx_free(context)
            unsafe block.deallocate()
        }
        if !block.isEmpty {
            let data = unsafe UnsafeMutableRawPointer(block.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var chunk = unsafe spng_exif(length: block.count, data: data)
            try check(unsafe spng_set_exif(context, &chunk), subject)
        }
        try frame.withPlane(0) { pixels, plane throws(CodecError) in
            try unsafe pixels.withUnsafeBytes { pixels throws(CodecError) in
                let kind = unsafe Self.kind(of: frame.layout.format, pixels, plane)
                try unsafe begin(context, kind, frame.size, output, subject)
                try unsafe encodeRows(context, kind, pixels, plane, subject)
            }
        }
    }

    /// The conversion of a frame's rows to PNG scanlines.
    private enum Kind {
        case asIs(colorType: spng_color_type)
        /// Drops the fourth byte of each pixel.
        case dropFourth
        case divideByAlpha

        var colorType: spng_color_type {
            switch self {
            case .asIs(let colorType): colorType
            case .dropFourth: SPNG_COLOR_TYPE_TRUECOLOR
            case .divideByAlpha: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA
            }
        }
    }

    @unsafe private static func kind(
        of format: PixelFormat, _ pixels: UnsafeRawBufferPointer, _ plane: PlaneLayout
    ) -> Kind {
        switch format {
        case .gray: return .asIs(colorType: SPNG_COLOR_TYPE_GRAYSCALE)
        case .rgb24: return .asIs(colorType: SPNG_COLOR_TYPE_TRUECOLOR)
        case .rgba:
            for row in 0..<plane.dimensions.height {
                var all: UInt8 = 255
                let start = row * plane.strideInBytes
                for alpha in stride(from: start + 3, to: start + plane.rowBytes, by: 4) { unsafe all &= pixels[alpha] }
                if all != 255 { return .divideByAlpha }
            }
            return .dropFourth
        default: return .dropFourth
        }
    }

    @unsafe private func begin(
        _ context: OpaquePointer, _ kind: Kind, _ size: PixelSize, _ output: ByteBuffer, _ subject: String
    ) throws(CodecError) {
        unsafe spng_set_png_stream(
            context,
            { _, output, bytes, count in
                guard let output = unsafe output else { return Int32(SPNG_IO_ERROR.rawValue) }
                let buffer = unsafe Unmanaged<ByteBuffer>.fromOpaque(output).takeUnretainedValue()
                unsafe buffer.append(UnsafeRawBufferPointer(start: bytes, count: count))
                return 0
            }, Unmanaged.passUnretained(output).toOpaque())
        var header = spng_ihdr(
            width: UInt32(size.width), height: UInt32(size.height), bit_depth: 8,
            color_type: UInt8(kind.colorType.rawValue), compression_method: 0, filter_method: 0, interlace_method: 0)
        try check(unsafe spng_set_ihdr(context, &header), subject)
        unsafe spng_set_srgb(context, 0)
        unsafe spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, Int32(compression))
        // Two filters suffice for camera pictures, and take half the time of all five.
        let filters = SPNG_FILTER_CHOICE_SUB.rawValue | SPNG_FILTER_CHOICE_UP.rawValue
        unsafe spng_set_option(context, SPNG_FILTER_CHOICE, Int32(filters))
        let flags = Int32(SPNG_ENCODE_PROGRESSIVE.rawValue) | Int32(SPNG_ENCODE_FINALIZE.rawValue)
        try check(unsafe spng_encode_image(context, nil, 0, Int32(SPNG_FMT_PNG.rawValue), flags), subject)
    }

    @unsafe private func encodeRows(
        _ context: OpaquePointer, _ kind: Kind, _ pixels: UnsafeRawBufferPointer, _ plane: PlaneLayout,
        _ subject: String
    ) throws(CodecError) {
        if row.count != plane.rowBytes { row = [UInt8](repeating: 0, count: plane.rowBytes) }
        for index in 0..<plane.dimensions.height {
            let start = index * plane.strideInBytes
            let source = unsafe UnsafeRawBufferPointer(rebasing: pixels[start..<start + plane.rowBytes])
            let result =
                switch kind {
                case .asIs: unsafe spng_encode_row(context, source.baseAddress, plane.rowBytes)
                case .dropFourth: unsafe encodeConverted(context, source, Self.dropFourth)
                case .divideByAlpha: unsafe encodeConverted(context, source, Self.divideByAlpha)
                }
            if result == SPNG_EOI.rawValue { return }
            try check(result, subject)
        }
    }

    @unsafe private func encodeConverted(
        _ context: OpaquePointer, _ source: UnsafeRawBufferPointer,
        _ convert: (UnsafeRawBufferPointer, UnsafeMutableBufferPointer<UInt8>) -> Int
    ) -> Int32 {
        unsafe row.withUnsafeMutableBufferPointer { row in
            let count = unsafe convert(source, row)
            return unsafe spng_encode_row(context, row.baseAddress, count)
        }
    }

    @unsafe private static func dropFourth(
        _ source: UnsafeRawBufferPointer, _ target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        let count = source.count / 4
        for pixel in 0..<count {
            unsafe target[3 * pixel] = source[4 * pixel]
            unsafe target[3 * pixel + 1] = source[4 * pixel + 1]
            unsafe target[3 * pixel + 2] = source[4 * pixel + 2]
        }
        return 3 * count
    }

    @unsafe private static func divideByAlpha(
        _ source: UnsafeRawBufferPointer, _ target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        for pixel in stride(from: 0, to: source.count, by: 4) {
            let alpha = unsafe Int(source[pixel + 3])
            for byte in pixel..<pixel + 3 {
                unsafe target[byte] = alpha == 0 ? 0 : UInt8(min(255, (Int(source[byte]) * 255 + alpha / 2) / alpha))
            }
            unsafe target[pixel + 3] = UInt8(alpha)
        }
        return source.count
    }

    private func check(_ result: Int32, _ subject: String) throws(CodecError) {
        guard result != 0 else { return }
        let message = unsafe spng_strerror(result).map { unsafe String(cString: $0) } ?? "error \(result)"
        throw CodecError(subject, .failed, "encoding failed: \(message)")
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Allocates memory with a copy of `bytes`; the caller must deallocate it.
    fileprivate init(copying bytes: [UInt8]) {
        unsafe self = .allocate(capacity: bytes.count)
        _ = unsafe initialize(from: bytes)
    }
}
