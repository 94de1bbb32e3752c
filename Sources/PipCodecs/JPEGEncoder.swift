internal import CTurboJPEG
package import PipFrames

/// Encodes pictures as baseline JPEG files (JFIF), without a conversion of their planes.
///
/// The encoder reuses its scratch memory for further pictures.
///
/// Thread: any, but one at a time.
@safe package final class JPEGEncoder {
    /// The formats that ``encode(_:into:subject:)`` accepts, with the colour encoding ``Colorimetry/jpeg``.
    package static let formats: [PixelFormat] = [.i420, .gray]
    /// The longest side of a picture that a JPEG file can hold, in pixels.
    package static let largestSide = 65535

    /// The quality, from 1 (small) to 100 (good).
    private let quality: Int
    private let handle: tjhandle
    private var scratch = PlaneScratch()
    // The arrays for the library are stored, so that they are not allocated for every picture.
    private var planes: [UnsafePointer<UInt8>?] = unsafe [nil, nil, nil]
    private var strides: [Int32] = [0, 0, 0]

    /// - Parameter quality: The quality on libjpeg's scale, from 1 (small) to 100 (good).
    /// - Throws: ``CodecError`` when memory is lacking.
    package init(quality: Int = 90) throws(CodecError) {
        guard let handle = unsafe tjInitCompress() else {
            throw CodecError("JPEG encoder", .failed, unsafe turboMessage(nil))
        }
        self.quality = min(max(quality, 1), 100)
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe tjDestroy(handle) }

    /// Encodes a picture.
    ///
    /// - Parameters:
    ///   - frame: The picture, in one of ``formats``.
    ///   - output: The buffer, whose contents are replaced by the file.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` when the frame's format or size is not supported, or encoding fails.
    package func encode(_ frame: Frame, into output: ByteBuffer, subject: String) throws(CodecError) {
        let layout = frame.layout
        guard Self.formats.contains(layout.format) else {
            throw CodecError(subject, .unsupported, "a JPEG file is made from i420 or gray, not from \(layout.format)")
        }
        guard max(layout.size.width, layout.size.height) <= Self.largestSide else {
            throw CodecError(
                subject, .tooLarge, "a JPEG file's sides are at most \(Self.largestSide) pixels, not \(layout.size)")
        }
        let subsampling = layout.format == .gray ? TJSAMP_GRAY : TJSAMP_420
        let isOdd = layout.format == .i420 && (layout.size.width % 2 != 0 || layout.size.height % 2 != 0)
        if isOdd {
            scratch.prepare(for: layout.size, subsampling)
            scratch.fill(from: frame)
        }
        for index in layout.planes.indices {
            unsafe planes[index] =
                isOdd
                ? UnsafePointer(scratch.pointer(index))
                : frame.unsafePlane(index)?.assumingMemoryBound(to: UInt8.self)
            strides[index] = Int32(isOdd ? scratch.strides[index] : layout.planes[index].strideInBytes)
        }
        let capacity = Int(tjBufSize(Int32(layout.size.width), Int32(layout.size.height), Int32(subsampling.rawValue)))
        try unsafe output.fill(capacity: capacity) { memory throws(CodecError) in
            var target = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var count = UInt(memory.count)
            let result = unsafe tjCompressFromYUVPlanes(
                handle, &planes, Int32(layout.size.width), &strides, Int32(layout.size.height),
                Int32(subsampling.rawValue), &target, &count, Int32(quality), TJFLAG_NOREALLOC)
            guard result == 0 else {
                throw CodecError(subject, .failed, "encoding failed: \(unsafe turboMessage(handle))")
            }
            return Int(count)
        }
    }
}
