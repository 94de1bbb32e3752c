internal import CTurboJPEG
internal import CYUV
internal import Glibc
package import PipFrames

/// Decodes JPEG pictures: files, and the frames of cameras that deliver Motion JPEG.
///
/// The decoder reuses its scratch memory for further pictures.
///
/// Thread: any, but one at a time.
@safe package final class JPEGDecoder {
    /// The completeness of a picture's data.
    package enum Completeness: Equatable, Sendable {
        case intact
        /// The library gave a warning, such as for truncated data, whose missing pixels it filled in.
        case damaged
    }

    /// The decoder of libjpeg-turbo, which is replaced after a broken header.
    private var handle: tjhandle
    private var scratch = PlaneScratch()
    // The arrays for the library are stored, so that they are not allocated for every picture.
    private var planes: [UnsafeMutablePointer<UInt8>?] = unsafe [nil, nil, nil]
    private var strides: [Int32] = [0, 0, 0]

    /// - Throws: ``CodecError`` when memory is lacking.
    package init() throws(CodecError) {
        guard let handle = unsafe tjInitDecompress() else {
            throw CodecError("JPEG decoder", .failed, unsafe turboMessage(nil))
        }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe tjDestroy(handle) }

    /// Decodes a picture.
    ///
    /// - Parameters:
    ///   - bytes: The picture.
    ///   - header: The picture's header.
    ///   - buffer: The memory for the pixels, as `layout` describes.
    ///   - layout: A layout of the header's size: `i420` if that is the ``JPEGHeader/fastFormat``, `gray`, or an RGB
    ///     format. Rows may be padded. The colour encoding is ``Colorimetry/jpeg``.
    ///   - subject: The path of the file or of the camera, for messages.
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
        // libjpeg-turbo writes as many samples as its own reading of the header states, so both readings must agree.
        let found = unsafe libraryHeader(bytes)
        guard let found, found.isClean, found.size == layout.size, found.subsampling == subsampling else {
            let reason =
                found?.isClean == true
                ? "libjpeg-turbo reads another size or sampling from it" : unsafe turboMessage(handle)
            if found == nil { reset() }
            throw CodecError(subject, .damaged, "its header is damaged: \(reason)")
        }
        return try unsafe check(decompress(bytes, subsampling, into: buffer, layout, fillsPadding: false), subject)
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
        throw CodecError(subject, .damaged, "it is damaged: \(unsafe turboMessage(handle))")
    }

    /// Replaces the library's decoder, because libjpeg-turbo 2.1 would add the next picture to a broken header.
    private func reset() {
        guard let fresh = unsafe tjInitDecompress() else { return }
        _ = unsafe tjDestroy(handle)
        unsafe handle = unsafe fresh
    }
}

// MARK: Frames of cameras

extension JPEGDecoder {
    /// Decodes a camera's frame to I420, without a conversion to RGB.
    ///
    /// Chroma with another subsampling than 4:2:0 is resampled; grey pictures get chroma of 128. A frame for which
    /// libjpeg gives a warning counts as damaged. The exception is the warning of stray bytes before a marker in a
    /// complete picture, because several cameras insert such bytes into every frame.
    ///
    /// - Parameters:
    ///   - bytes: The frame, which may lack the standard Huffman tables, and may have padding after its end.
    ///   - buffer: The memory for the pixels, as `layout` describes.
    ///   - layout: An `i420` layout of the camera's size, whose padding may be overwritten.
    /// - Returns: True for an intact frame; false for a frame that is damaged, of another size, or not subsampled in a
    ///   supported way.
    @unsafe package func decodeFrame(
        _ bytes: UnsafeRawBufferPointer, into buffer: FrameBuffer, _ layout: FrameLayout
    ) -> Bool {
        guard let header = unsafe libraryHeader(bytes) else {
            reset()
            return false
        }
        // The size must be checked before the library writes any pixels.
        guard header.size == layout.size, let subsampling = header.subsampling else { return false }
        let result = unsafe decompress(bytes, subsampling, into: buffer, layout, fillsPadding: true)
        if result == 0 { return true }
        return unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue && isOnlyStrayBytes(bytes)
    }

    /// True when the library's first warning is about stray bytes, and the picture has an end marker.
    @unsafe private func isOnlyStrayBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let message = unsafe tjGetErrorStr2(handle), unsafe strstr(message, "extraneous bytes") != nil
        else { return false }
        var index = bytes.count - 2
        // Bytes after the end marker are padding.
        while index >= 0 {
            if unsafe bytes[index] == 0xff && bytes[index + 1] == 0xd9 { return true }
            index -= 1
        }
        return false
    }
}

// MARK: Planes

extension JPEGDecoder {
    /// The header of a picture as libjpeg-turbo reads it.
    private struct LibraryHeader {
        let size: PixelSize
        /// The chroma subsampling, or `TJSAMP_GRAY`; nil for subsamplings that ``ChromaPlane`` does not support.
        let subsampling: TJSAMP?
        /// True when the library gave no warning.
        let isClean: Bool
    }

    /// Lets libjpeg-turbo read the header; returns nil when it finds no header.
    @unsafe private func libraryHeader(_ bytes: UnsafeRawBufferPointer) -> LibraryHeader? {
        var (width, height, found, colorspace) = (CInt(0), CInt(0), CInt(-1), CInt(0))
        let result = unsafe tjDecompressHeader3(
            handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &width, &height, &found,
            &colorspace)
        // The header is valid when the library only gave a warning.
        guard result == 0 || width > 0 else { return nil }
        let subsampling: TJSAMP? =
            // The enumerations' raw values are signed in libjpeg-turbo 3, and unsigned before.
            switch TJCS(.init(truncatingIfNeeded: colorspace)) {
            case TJCS_GRAY: TJSAMP_GRAY
            case TJCS_YCbCr where ChromaPlane.factors(of: TJSAMP(.init(truncatingIfNeeded: found))) != nil:
                TJSAMP(.init(truncatingIfNeeded: found))
            default: nil
            }
        return LibraryHeader(
            size: PixelSize(Int(width), Int(height)), subsampling: subsampling, isClean: result == 0)
    }

    /// Decodes to I420, directly into the frame where the library's planes fit, and otherwise through scratch memory.
    ///
    /// - Parameters:
    ///   - bytes: The picture.
    ///   - subsampling: The subsampling that the library finds in the header.
    ///   - buffer: The memory for the pixels, as `layout` describes.
    ///   - layout: An `i420` layout of the picture's size.
    ///   - fillsPadding: True when the padding between the frame's rows and planes may be overwritten.
    /// - Returns: The library's result code; -1 for a buffer without memory.
    @unsafe private func decompress(
        _ bytes: UnsafeRawBufferPointer, _ subsampling: TJSAMP, into buffer: FrameBuffer, _ layout: FrameLayout,
        fillsPadding: Bool
    ) -> CInt {
        for index in 0..<3 {
            let start = unsafe buffer.mutableBytes(ofPlane: index).baseAddress
            unsafe planes[index] = unsafe start.map {
                unsafe ($0 + layout.planes[index].offset).assumingMemoryBound(to: UInt8.self)
            }
            strides[index] = CInt(layout.planes[index].strideInBytes)
        }
        guard let luma = unsafe planes[0], let blue = unsafe planes[1], let red = unsafe planes[2] else { return -1 }
        let keepsLuma = Self.hasRoomForLuma(layout, subsampling, fillsPadding: fillsPadding)
        let keepsChroma = subsampling == TJSAMP_420 || subsampling == TJSAMP_GRAY
        if !(keepsLuma && keepsChroma) { scratch.prepare(for: layout.size, subsampling) }
        for index in 0..<3 where !(index == 0 ? keepsLuma : keepsChroma) {
            unsafe planes[index] = scratch.pointer(index)
            strides[index] = CInt(scratch.strides[index])
        }
        let result = unsafe tjDecompressToYUVPlanes(
            handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &planes, 0, &strides, 0,
            TJFLAG_LIMITSCANS)
        if !keepsLuma { unsafe scratch.copyLuma(to: luma, layout.planes[0]) }
        if subsampling == TJSAMP_GRAY {
            unsafe Self.fillGray(blue, layout.planes[1])
            unsafe Self.fillGray(red, layout.planes[2])
        } else if !keepsChroma, let (across, down) = ChromaPlane.factors(of: subsampling) {
            let chroma = ChromaPlane(size: layout.size, across: across, down: down, stride: scratch.strides[1])
            if let source = unsafe scratch.pointer(1) { unsafe chroma.resample(source, to: blue, layout.planes[1]) }
            if let source = unsafe scratch.pointer(2) { unsafe chroma.resample(source, to: red, layout.planes[2]) }
        }
        return result
    }

    /// True when the library's luma plane fits in the frame.
    ///
    /// The library rounds the numbers of luma columns and rows up to whole chroma samples: 4:2:0 needs even numbers.
    private static func hasRoomForLuma(_ layout: FrameLayout, _ subsampling: TJSAMP, fillsPadding: Bool) -> Bool {
        let (width, height) = (CInt(layout.size.width), CInt(layout.size.height))
        let columns = Int(tjPlaneWidth(0, width, CInt(subsampling.rawValue)))
        let rows = Int(tjPlaneHeight(0, height, CInt(subsampling.rawValue)))
        if columns == layout.size.width && rows == layout.size.height { return true }
        let luma = layout.planes[0]
        let available = (layout.planes[1].offset - luma.offset) / luma.strideInBytes
        return fillsPadding && columns <= luma.strideInBytes && rows <= available
    }

    private static func fillGray(_ target: UnsafeMutablePointer<UInt8>, _ plane: PlaneLayout) {
        unsafe SetPlane(
            target, CInt(plane.strideInBytes), CInt(plane.dimensions.width), CInt(plane.dimensions.height), 128)
    }
}

/// The message of the last error of a TurboJPEG handle, or of a failure to create one when `handle` is nil.
@unsafe func turboMessage(_ handle: tjhandle?) -> String {
    unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "unknown error"
}
