internal import CTurboJPEG
internal import PipFrames

/// Planes as TurboJPEG wants them: rounded up to whole chroma samples, which frames of odd sizes are not.
@safe struct PlaneScratch: ~Copyable {
    private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var offsets: InlineArray<3, Int> = [0, 0, 0]
    private(set) var strides: InlineArray<3, Int> = [0, 0, 0]
    private var rows: InlineArray<3, Int> = [0, 0, 0]

    deinit { unsafe memory.deallocate() }

    /// Makes room for a picture.
    mutating func prepare(for size: PixelSize, _ subsampling: TJSAMP) {
        var total = 0
        for plane in 0..<3 {
            offsets[plane] = total
            strides[plane] = Int(tjPlaneWidth(Int32(plane), Int32(size.width), Int32(subsampling.rawValue)))
            rows[plane] = Int(tjPlaneHeight(Int32(plane), Int32(size.height), Int32(subsampling.rawValue)))
            // Grey pictures have one plane; the library answers -1 for the others.
            if strides[plane] < 0 || rows[plane] < 0 { (strides[plane], rows[plane]) = (0, 0) }
            total += strides[plane] * rows[plane]
        }
        guard unsafe memory.count < total else { return }
        unsafe memory.deallocate()
        unsafe memory = .allocate(byteCount: total, alignment: 64)
    }

    /// A plane's first sample.
    @unsafe func pointer(_ plane: Int) -> UnsafeMutablePointer<UInt8>? {
        unsafe memory.baseAddress.map { unsafe ($0 + offsets[plane]).assumingMemoryBound(to: UInt8.self) }
    }

    /// Copies the planes to an I420 frame; chroma with more samples than 4:2:0 is averaged.
    func copy(to buffer: FrameBuffer, _ layout: FrameLayout, _ subsampling: TJSAMP) {
        for index in 0..<3 {
            let plane = layout.planes[index]
            guard let source = unsafe pointer(index), let start = unsafe buffer.mutableBytes(ofPlane: index).baseAddress
            else { return }
            let target = unsafe (start + plane.offset).assumingMemoryBound(to: UInt8.self)
            let (width, height) = (plane.dimensions.width, plane.dimensions.height)
            for row in 0..<height {
                let line = unsafe target + row * plane.strideInBytes
                if strides[index] == 0 {
                    unsafe line.update(repeating: 128, count: width)
                } else if index == 0 {
                    unsafe line.update(from: source + row * strides[0], count: width)
                } else {
                    // One or two samples down and across, for one of ours.
                    let first = rows[index] > height ? 2 * row : row
                    let second = min(rows[index] > height ? first + 1 : first, rows[index] - 1)
                    unsafe average(
                        source + first * strides[index], source + second * strides[index], to: line, count: width,
                        available: strides[index])
                }
            }
        }
    }

    @unsafe private func average(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, to line: UnsafeMutablePointer<UInt8>, count: Int,
        available: Int
    ) {
        if available <= count {
            for column in 0..<count {
                unsafe line[column] = UInt8((UInt16(upper[column]) + UInt16(lower[column]) + 1) >> 1)
            }
            return
        }
        for column in 0..<count {
            let left = 2 * column
            let right = min(left + 1, available - 1)
            let sum = unsafe UInt16(upper[left]) + UInt16(upper[right]) + UInt16(lower[left]) + UInt16(lower[right])
            unsafe line[column] = UInt8((sum + 2) >> 2)
        }
    }

    /// Copies an I420 frame to the planes, its last column and row repeated where they are too few.
    func fill(from frame: Frame) {
        for index in 0..<frame.layout.planes.count where strides[index] > 0 {
            let plane = frame.layout.planes[index]
            guard let target = unsafe pointer(index), let start = unsafe frame.unsafePlane(index) else { return }
            let source = unsafe start.assumingMemoryBound(to: UInt8.self)
            let width = plane.dimensions.width
            for row in 0..<rows[index] {
                let line = unsafe source + min(row, plane.dimensions.height - 1) * plane.strideInBytes
                let copy = unsafe target + row * strides[index]
                unsafe copy.update(from: line, count: width)
                if strides[index] > width {
                    unsafe (copy + width).update(repeating: line[width - 1], count: strides[index] - width)
                }
            }
        }
    }
}
