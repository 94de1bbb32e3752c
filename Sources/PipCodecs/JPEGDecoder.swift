internal import CTurboJPEG
package import PipFrames

/// Decodes JPEG pictures: files, and the frames of cameras that deliver Motion JPEG.
///
/// Not thread-safe: one for each thread. Its memory is used again, so that pictures of the same size cost no allocation
/// of ours.
@safe package final class JPEGDecoder {
    /// The extent to which a picture's data was complete.
    package enum Completeness: Equatable, Sendable {
        case intact
        /// The data is cut off or broken; the decoder filled in what it could.
        case damaged
    }

    private let handle: tjhandle
    private var scratch = PlaneScratch()
    // Plane pointers for the library, kept so that decoding allocates nothing.
    private var planes: [UnsafeMutablePointer<UInt8>?] = unsafe [nil, nil, nil]
    private var strides: [Int32] = [0, 0, 0]

    /// - Throws: ``CodecError`` when there is no memory.
    package init() throws(CodecError) {
        guard let handle = unsafe tjInitDecompress() else {
            throw CodecError("JPEG decoder", .failed, unsafe Self.message(nil))
        }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe tjDestroy(handle) }

    /// Decodes a picture.
    ///
    /// - Parameters:
    ///   - bytes: The picture.
    ///   - header: The picture's header.
    ///   - buffer: Memory for the layout.
    ///   - layout: A layout of the header's size: `i420` for pictures whose ``JPEGHeader/fastFormat`` is, `gray`, or an
    ///     RGB
    ///     format. Rows may be padded. The codes are those of ``Colorimetry/jpeg``.
    ///   - subject: The file's path or the camera's, for messages.
    /// - Returns: The completeness of the picture's data.
    /// - Throws: ``CodecError`` when nothing could be decoded, or the layout does not fit.
    package func decode(
        _ bytes: RawSpan, _ header: JPEGHeader, into buffer: FrameBuffer, layout: FrameLayout, subject: String
    ) throws(CodecError) -> Completeness {
        guard layout.size == header.size else {
            throw CodecError(subject, .failed, "a \(header.size) picture does not fit a \(layout.size) frame")
        }
        return try unsafe bytes.withUnsafeBytes { bytes throws(CodecError) in
            if layout.format == .i420 {
                return try unsafe decodePlanes(bytes, header, buffer, layout, subject)
            }
            guard let format = Self.packedFormat(layout.format) else {
                throw CodecError(subject, .failed, "a JPEG picture cannot be decoded to \(layout.format)")
            }
            let plane = layout.planes[0]
            let target = unsafe buffer.mutableBytes(ofPlane: 0).baseAddress.map { unsafe $0 + plane.offset }
            return try unsafe check(
                tjDecompress2(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count),
                    target?.assumingMemoryBound(to: UInt8.self), Int32(layout.size.width), Int32(plane.strideInBytes),
                    Int32(layout.size.height), Int32(format.rawValue), TJFLAG_LIMITSCANS), subject)
        }
    }

    @unsafe private func decodePlanes(
        _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, _ buffer: FrameBuffer, _ layout: FrameLayout,
        _ subject: String
    ) throws(CodecError) -> Completeness {
        guard let subsampling = Self.subsampling(header.sampling) else {
            throw CodecError(subject, .failed, "a picture with \(header.sampling) samples cannot be decoded to i420")
        }
        try unsafe confirm(bytes, layout.size, subsampling, subject)
        let isDirect =
            header.sampling == .yuv420 && layout.size.width % 2 == 0 && layout.size.height % 2 == 0
        // The library writes whole blocks of luma beside the chroma samples: one column and row more than odd sizes
        // have.
        if !isDirect { scratch.prepare(for: layout.size, subsampling) }
        for index in 0..<(header.sampling == .gray ? 1 : 3) {
            if isDirect {
                let start = unsafe buffer.mutableBytes(ofPlane: index).baseAddress
                unsafe planes[index] = unsafe start.map {
                    unsafe ($0 + layout.planes[index].offset).assumingMemoryBound(to: UInt8.self)
                }
                strides[index] = Int32(layout.planes[index].strideInBytes)
            } else {
                unsafe planes[index] = scratch.pointer(index)
                strides[index] = Int32(scratch.strides[index])
            }
        }
        let completeness = try unsafe check(
            tjDecompressToYUVPlanes(
                handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &planes,
                Int32(layout.size.width), &strides, Int32(layout.size.height), TJFLAG_LIMITSCANS), subject)
        if !isDirect { scratch.copy(to: buffer, layout, subsampling) }
        return completeness
    }

    /// Makes sure that the library reads the header as we do: it writes as many samples as it finds there.
    @unsafe private func confirm(
        _ bytes: UnsafeRawBufferPointer, _ size: PixelSize, _ subsampling: TJSAMP, _ subject: String
    ) throws(CodecError) {
        var (width, height, found, colorspace) = (Int32(0), Int32(0), Int32(-1), Int32(0))
        let result = unsafe tjDecompressHeader3(
            handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &width, &height, &found,
            &colorspace)
        guard result == 0, width == size.width, height == size.height, found == subsampling.rawValue else {
            let reason = result == 0 ? "it can be read in two ways" : unsafe Self.message(handle)
            throw CodecError(subject, .damaged, "its header is damaged: \(reason)")
        }
    }

    private static func subsampling(_ sampling: JPEGHeader.Sampling) -> TJSAMP? {
        switch sampling {
        case .gray: TJSAMP_GRAY
        case .yuv420: TJSAMP_420
        case .yuv422: TJSAMP_422
        case .yuv444: TJSAMP_444
        case .yuv440: TJSAMP_440
        case .yuvOther, .rgb: nil
        }
    }

    private static func packedFormat(_ format: PixelFormat) -> TJPF? {
        switch format {
        case .gray: TJPF_GRAY
        case .rgb24: TJPF_RGB
        case .bgr24: TJPF_BGR
        case .rgba: TJPF_RGBA
        case .bgra: TJPF_BGRA
        case .argb: TJPF_ARGB
        case .abgr: TJPF_ABGR
        case .rgbx: TJPF_RGBX
        case .bgrx: TJPF_BGRX
        case .xrgb: TJPF_XRGB
        case .xbgr: TJPF_XBGR
        default: nil
        }
    }

    private func check(_ result: Int32, _ subject: String) throws(CodecError) -> Completeness {
        if result == 0 { return .intact }
        if unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue { return .damaged }
        throw CodecError(subject, .damaged, "it is damaged: \(unsafe Self.message(handle))")
    }

    @unsafe private static func message(_ handle: tjhandle?) -> String {
        unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "unknown error"
    }
}
