internal import CTurboJPEG
internal import CYUV
internal import PipFrames

/// Scratch memory for planes in TurboJPEG's sizes, which are rounded up to whole chroma samples.
@safe struct PlaneScratch: ~Copyable {
    private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var offsets: InlineArray<3, Int> = [0, 0, 0]
    private(set) var strides: InlineArray<3, Int> = [0, 0, 0]
    private var rows: InlineArray<3, Int> = [0, 0, 0]

    deinit { unsafe memory.deallocate() }

    /// Prepares the planes for pictures of a size, and allocates memory if the present memory is too small.
    mutating func prepare(for size: PixelSize, _ subsampling: TJSAMP) {
        var total = 0
        for plane in 0..<3 {
            offsets[plane] = total
            strides[plane] = Int(tjPlaneWidth(Int32(plane), Int32(size.width), Int32(subsampling.rawValue)))
            rows[plane] = Int(tjPlaneHeight(Int32(plane), Int32(size.height), Int32(subsampling.rawValue)))
            // Grey pictures have one plane: the library returns -1 for the other planes.
            if strides[plane] < 0 || rows[plane] < 0 { (strides[plane], rows[plane]) = (0, 0) }
            total += strides[plane] * rows[plane]
        }
        guard unsafe memory.count < total else { return }
        unsafe memory.deallocate()
        unsafe memory = .allocate(byteCount: total, alignment: 64)
    }

    /// A pointer to a plane's first sample; nil before the first allocation.
    @unsafe func pointer(_ plane: Int) -> UnsafeMutablePointer<UInt8>? {
        unsafe memory.baseAddress.map { unsafe ($0 + offsets[plane]).assumingMemoryBound(to: UInt8.self) }
    }

    /// Copies the luma plane to a frame's luma plane, which must not be larger.
    func copyLuma(to target: UnsafeMutablePointer<UInt8>, _ layout: PlaneLayout) {
        guard let source = unsafe pointer(0) else { return }
        unsafe CopyPlane(
            source, CInt(strides[0]), target, CInt(layout.strideInBytes), CInt(layout.dimensions.width),
            CInt(layout.dimensions.height))
    }

    /// Copies an I420 frame to the planes, and repeats the frame's last column and row to fill larger planes.
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
