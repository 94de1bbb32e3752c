internal import CTurboJPEG
internal import Glibc
internal import PipFrames

/// Decodes the JPEG pictures of a camera to I420 planes, without a detour over RGB.
///
/// Other samplings than 4:2:0 are averaged down or repeated. Whatever libjpeg warns of is a damaged frame, except for
/// stray bytes before a marker in an otherwise complete picture: several cameras put them into every frame.
@safe final class MJPEGDecoder: FrameDecoder {
    private var handle: tjhandle
    /// Both chroma planes as the camera samples them, when that is not 4:2:0.
    private var scratch: UnsafeMutableBufferPointer<UInt8>?

    /// nil when there is no memory.
    init?() {
        guard let handle = unsafe tjInitDecompress() else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit {
        _ = unsafe tjDestroy(handle)
        unsafe scratch?.deallocate()
    }

    @unsafe func decode(_ bytes: UnsafeRawBufferPointer, into frame: FrameBuffer, _ layout: FrameLayout) -> Bool {
        guard let data = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        // The size is checked before anything of that size is written.
        guard let sampling = unsafe header(data, bytes.count, layout.size),
            let luma = unsafe plane(0, of: frame, layout),
            let blue = unsafe plane(1, of: frame, layout), let red = unsafe plane(2, of: frame, layout)
        else { return false }
        let strides = (layout.planes[0].strideInBytes, layout.planes[1].strideInBytes)
        switch sampling {
        case .none:
            unsafe blue.update(repeating: 128, count: layout.planes[1].byteCount)
            unsafe red.update(repeating: 128, count: layout.planes[2].byteCount)
            return unsafe decompress(data, bytes.count, [luma, blue, red], strides.0, strides.1)
        case .averaged(across: 2, down: 2):
            return unsafe decompress(data, bytes.count, [luma, blue, red], strides.0, strides.1)
        case .averaged(let across, let down):
            // Rows of a chroma plane may be as long, and the plane as high, as luma's.
            let size = PixelSize(strides.0, layout.size.height.roundedUp(to: 16))
            let whole = unsafe room(2 * size.area)
            guard let first = whole.baseAddress else { return false }
            let second = unsafe first + size.area
            guard unsafe decompress(data, bytes.count, [luma, first, second], strides.0, strides.0) else {
                return false
            }
            let source = ChromaPlane(size: layout.size, across: across, down: down, stride: strides.0)
            unsafe source.resample(first, to: blue, layout.planes[1])
            unsafe source.resample(second, to: red, layout.planes[2])
            return true
        }
    }

    /// A picture's chroma subsampling.
    private enum Sampling {
        /// Grey: no chroma.
        case none
        /// One chroma sample for `across` × `down` luma samples.
        case averaged(across: Int, down: Int)
    }

    /// Reads the header; nil when it is not a picture of the right size in luma and chroma.
    @unsafe private func header(_ data: UnsafePointer<UInt8>, _ count: Int, _ size: PixelSize) -> Sampling? {
        var (width, height, subsampling, colorspace): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
        let result = unsafe tjDecompressHeader3(
            handle, data, UInt(count), &width, &height, &subsampling, &colorspace)
        // After a mere warning the header is known all the same.
        guard result == 0 || width > 0 else {
            reset()
            return nil
        }
        guard Int(width) == size.width, Int(height) == size.height else { return nil }
        if UInt32(bitPattern: colorspace) == TJCS_GRAY.rawValue { return Sampling.none }
        guard UInt32(bitPattern: colorspace) == TJCS_YCbCr.rawValue else { return nil }
        switch TJSAMP(UInt32(bitPattern: subsampling)) {
        case TJSAMP_444: return .averaged(across: 1, down: 1)
        case TJSAMP_422: return .averaged(across: 2, down: 1)
        case TJSAMP_420: return .averaged(across: 2, down: 2)
        case TJSAMP_440: return .averaged(across: 1, down: 2)
        case TJSAMP_411: return .averaged(across: 4, down: 1)
        default: return nil
        }
    }

    /// Resets the decompressor after a broken header, which libjpeg-turbo 2.1 would continue with the next picture.
    private func reset() {
        guard let fresh = unsafe tjInitDecompress() else { return }
        _ = unsafe tjDestroy(handle)
        unsafe handle = unsafe fresh
    }

    @unsafe private func decompress(
        _ data: UnsafePointer<UInt8>, _ count: Int, _ planes: InlineArray<3, UnsafeMutablePointer<UInt8>?>,
        _ lumaStride: Int, _ chromaStride: Int
    ) -> Bool {
        var planes = unsafe planes
        var strides: InlineArray<3, CInt> = [CInt(lumaStride), CInt(chromaStride), CInt(chromaStride)]
        var planeSpan = unsafe planes.mutableSpan
        var strideSpan = strides.mutableSpan
        let result = unsafe planeSpan.withUnsafeMutableBufferPointer { planes in
            unsafe strideSpan.withUnsafeMutableBufferPointer { strides in
                unsafe tjDecompressToYUVPlanes(
                    handle, data, UInt(count), planes.baseAddress, 0, strides.baseAddress, 0, TJFLAG_LIMITSCANS)
            }
        }
        if result == 0 { return true }
        return unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue && isOnlyStrayBytes(data, count)
    }

    /// True when the first warning was about stray bytes before a marker and the picture has its end marker.
    @unsafe private func isOnlyStrayBytes(_ data: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard let message = unsafe tjGetErrorStr2(handle), unsafe strstr(message, "extraneous bytes") != nil
        else { return false }
        var index = count - 2
        // Bytes after the end marker are padding.
        while index >= 0 {
            if unsafe data[index] == 0xff && data[index + 1] == 0xd9 { return true }
            index -= 1
        }
        return false
    }

    @unsafe private func plane(
        _ index: Int, of frame: FrameBuffer, _ layout: FrameLayout
    )
        -> UnsafeMutablePointer<UInt8>?
    {
        guard let start = unsafe frame.mutableBytes(ofPlane: index).baseAddress else { return nil }
        return unsafe (start + layout.planes[index].offset).assumingMemoryBound(to: UInt8.self)
    }

    /// Memory for chroma, allocated with the first picture that needs it.
    @unsafe private func room(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
        if let scratch = unsafe scratch, scratch.count >= count { return unsafe scratch }
        unsafe scratch?.deallocate()
        let fresh = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        unsafe scratch = unsafe fresh
        return unsafe fresh
    }
}

/// A chroma plane with any of JPEG's samplings.
struct ChromaPlane {
    /// The picture's size, in luma samples.
    let size: PixelSize
    /// Luma samples for a chroma sample.
    let across: Int
    let down: Int
    let stride: Int

    /// Resamples to 4:2:0: a box average where there are more samples, repetition where there are fewer.
    @unsafe func resample(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ layout: PlaneLayout
    ) {
        let lastColumn = size.width.dividedUp(by: across) - 1
        let lastRow = size.height.dividedUp(by: down) - 1
        for y in 0..<layout.dimensions.height {
            let upper = unsafe source + min(lastRow, down == 1 ? 2 * y : y) * stride
            let lower = unsafe source + min(lastRow, down == 1 ? 2 * y + 1 : y) * stride
            let row = unsafe target + y * layout.strideInBytes
            if across == 2 {
                for x in 0..<layout.dimensions.width {
                    unsafe row[x] = UInt8((UInt16(upper[x]) + UInt16(lower[x]) + 1) / 2)
                }
                continue
            }
            for x in 0..<layout.dimensions.width {
                let left = min(lastColumn, across == 1 ? 2 * x : x / 2)
                let right = min(lastColumn, across == 1 ? 2 * x + 1 : x / 2)
                let sum = unsafe UInt16(upper[left]) + UInt16(upper[right]) + UInt16(lower[left]) + UInt16(lower[right])
                unsafe row[x] = UInt8((sum + 2) / 4)
            }
        }
    }
}
