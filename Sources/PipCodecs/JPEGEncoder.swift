internal import CTurboJPEG
package import PipFrames

/// Writes pictures as baseline JPEG files (JFIF) straight from their planes.
///
/// Not thread-safe: one for each sink. Its memory is used again, so that pictures of the same size cost no allocation
/// of ours.
@safe package final class JPEGEncoder {
    /// The formats that ``encode(_:into:subject:)`` takes; the codes must be those of ``Colorimetry/jpeg``.
    package static let formats: [PixelFormat] = [.i420, .gray]
    /// The sides of the largest picture that the format can hold.
    package static let largestSide = 65535

    /// From 1 (small) to 100 (good).
    private let quality: Int
    private let handle: tjhandle
    private var scratch = PlaneScratch()
    // Plane pointers for the library, kept so that encoding allocates nothing.
    private var planes: [UnsafePointer<UInt8>?] = unsafe [nil, nil, nil]
    private var strides: [Int32] = [0, 0, 0]

    /// - Parameter quality: From 1 (small) to 100 (good), as libjpeg's scale has it.
    /// - Throws: ``CodecError`` when there is no memory.
    package init(quality: Int = 90) throws(CodecError) {
        guard let handle = unsafe tjInitCompress() else {
            let message = unsafe tjGetErrorStr2(nil).map { unsafe String(cString: $0) }
            throw CodecError("JPEG encoder", .failed, message ?? "out of memory")
        }
        self.quality = min(max(quality, 1), 100)
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe tjDestroy(handle) }

    /// Encodes a picture.
    ///
    /// - Parameters:
    ///   - frame: In one of ``formats``.
    ///   - output: Its bytes are replaced by the file's.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` when the frame's format or size does not suit.
    package func encode(_ frame: Frame, into output: ByteBuffer, subject: String) throws(CodecError) {
        let layout = frame.layout
        guard Self.formats.contains(layout.format) else {
            throw CodecError(subject, .unsupported, "a JPEG file is made from i420 or gray, not from \(layout.format)")
        }
        guard max(layout.size.width, layout.size.height) <= Self.largestSide else {
            throw CodecError(subject, .tooLarge, "a JPEG file has at most \(Self.largestSide) pixels a side")
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
                let message = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) }
                throw CodecError(subject, .failed, "encoding failed: \(message ?? "unknown error")")
            }
            return Int(count)
        }
    }
}
