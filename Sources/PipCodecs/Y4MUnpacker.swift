internal import CYUV
package import PipFrames

/// Converts the frames of a YUV4MPEG2 stream to the pipeline's format.
@safe package struct Y4MUnpacker {
    /// The memory for one frame's bytes in file order, as a single row.
    ///
    /// The caller must fill the memory before each call of ``unpack(into:_:)``.
    package let packed: FrameBuffer
    /// The layout of ``packed``: a single row of bytes.
    package let packedLayout: FrameLayout
    private let samples: Y4MSamples
    private let matrix: OpaquePointer?
    private let planes: [PixelSize]
    /// The index of each plane's first sample among a frame's samples.
    private let offsets: [Int]
    /// The planes of ``packed``, reduced to one byte a sample; nil when the file's samples are one byte already.
    private let narrowed: FrameBuffer?

    /// Allocates the memory for one frame.
    package init(_ header: Y4MHeader) {
        samples = header.samples
        planes = samples.planes(of: header.size)
        packedLayout = FrameLayout(.gray, PixelSize(samples.byteCount(of: header.size), 1))
        packed = FrameBuffer(packedLayout)
        var total = 0
        offsets = planes.map { plane in
            defer { total += plane.width * plane.height }
            return total
        }
        narrowed = samples.bits > 8 ? FrameBuffer(FrameLayout(.gray, PixelSize(total, 1))) : nil
        unsafe matrix =
            switch (header.colorimetry.matrix, header.colorimetry.range) {
            case (.bt601, .limited): unsafe pip_yuv_bt601_limited
            case (.bt601, .full): unsafe pip_yuv_bt601_full
            case (_, .limited): unsafe pip_yuv_bt709_limited
            case (_, .full): unsafe pip_yuv_bt709_full
            }
    }

    /// Converts the frame in ``packed`` to the pipeline's format.
    ///
    /// - Parameters:
    ///   - frame: The memory for the converted frame.
    ///   - layout: The frame's layout, with the samples' format and the stream's size.
    package func unpack(into frame: FrameBuffer, _ layout: FrameLayout) {
        guard let first = unsafe Rows(frame, layout, 0), let luma = unsafe bytes(0) else { return }
        let size = layout.size
        let (width, height) = (CInt(size.width), CInt(size.height))
        if layout.format.family == .rgb {
            guard let u = unsafe bytes(1), let v = unsafe bytes(2) else { return }
            if layout.format.hasAlpha {
                guard let alpha = unsafe bytes(3) else { return }
                unsafe I444AlphaToARGBMatrix(
                    luma, width, u, width, v, width, alpha, width, first.start, first.stride, matrix, width, height, 1)
            } else {
                unsafe I444ToARGBMatrix(
                    luma, width, u, width, v, width, first.start, first.stride, matrix, width, height)
            }
            return
        }
        unsafe CopyPlane(luma, width, first.start, first.stride, width, height)
        guard planes.count == 3, let u = unsafe bytes(1), let v = unsafe bytes(2),
            let second = unsafe Rows(frame, layout, 1)
        else { return }
        let chroma = planes[1]
        let stride = CInt(chroma.width)
        switch samples.sampling {
        case .yuv411:
            unsafe spread(u, to: second, 0, layout.planes[1].dimensions)
            unsafe spread(v, to: second, 1, layout.planes[1].dimensions)
        case .yuv422:
            unsafe MergeUVPlane(u, stride, v, stride, second.start, second.stride, stride, CInt(chroma.height))
        default:
            guard let third = unsafe Rows(frame, layout, 2) else { return }
            unsafe CopyPlane(u, stride, second.start, second.stride, stride, CInt(chroma.height))
            unsafe CopyPlane(v, stride, third.start, third.stride, stride, CInt(chroma.height))
        }
    }

    /// The memory of a plane's rows, and their distance in bytes.
    @unsafe private struct Rows {
        let start: UnsafeMutablePointer<UInt8>
        let stride: CInt

        init?(_ frame: FrameBuffer, _ layout: FrameLayout, _ plane: Int) {
            let part = layout.planes[plane]
            guard let memory = unsafe frame.mutableBytes(ofPlane: plane).baseAddress else { return nil }
            unsafe start = (memory + part.offset).assumingMemoryBound(to: UInt8.self)
            unsafe stride = CInt(part.strideInBytes)
        }
    }

    /// The samples of a plane with one byte each; samples of two bytes are rounded to 8 bits.
    @unsafe private func bytes(_ plane: Int) -> UnsafePointer<UInt8>? {
        guard let source = unsafe packed.bytes(ofPlane: 0).baseAddress else { return nil }
        let offset = offsets[plane]
        guard let narrowed else { return unsafe (source + offset).assumingMemoryBound(to: UInt8.self) }
        guard let memory = unsafe narrowed.mutableBytes(ofPlane: 0).baseAddress else { return nil }
        let target = unsafe (memory + offset).assumingMemoryBound(to: UInt8.self)
        let wide = unsafe source.assumingMemoryBound(to: UInt16.self) + offset
        let shift = UInt32(samples.bits - 8)
        let half = UInt32(1) << (shift - 1)
        for index in 0..<planes[plane].width * planes[plane].height {
            let sample = unsafe UInt32(UInt16(littleEndian: wide[index]))
            // Samples above the stated number of bits, and samples rounded up to 256, are clipped to 255.
            unsafe target[index] = UInt8(truncatingIfNeeded: min((sample &+ half) &>> shift, 255))
        }
        return unsafe UnsafePointer(target)
    }

    /// Expands a 4:1:1 chroma plane to one component of 4:2:2 chroma pairs; every other sample is interpolated.
    @unsafe private func spread(
        _ plane: UnsafePointer<UInt8>, to rows: Rows, _ offset: Int, _ pairs: PixelSize
    ) {
        let count = planes[1].width
        for y in 0..<pairs.height {
            let source = unsafe plane + y * count
            let row = unsafe rows.start + y * Int(rows.stride) + offset
            for x in 0..<pairs.width {
                let (left, right) = unsafe (UInt16(source[x / 2]), UInt16(source[min((x + 1) / 2, count - 1)]))
                unsafe row[2 * x] = UInt8((left + right + 1) / 2)
            }
        }
    }
}
