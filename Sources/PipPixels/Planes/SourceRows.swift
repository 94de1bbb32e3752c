internal import PipFrames
internal import PipPlan

/// The memory of the rows of a frame that a blit reads.
@safe struct SourceRows {
    let first: UnsafeRawPointer
    let stride: Int
    /// The first sample of the other chroma plane; nil where the blit reads one plane.
    private let second: UnsafeRawPointer?
    private let secondStride: Int
    private let rowStep: Int

    /// Creates the rows; nil where the frame lacks a plane that the blit reads.
    ///
    /// `parts`: The number of bytes in a sample.
    init?(_ blit: Blit, _ parts: Int, _ frame: Frame) {
        let samples = blit.conversion.samples
        let planes = frame.layout.planes
        var (plane, other) = (min(blit.plane, planes.count - 1), Int?.none)
        if case .affineOfBoth = blit.conversion.values { other = 3 - blit.plane }
        if case .bothPlanes = samples { (plane, other) = (1, 2) }
        guard max(plane, other ?? 0) < planes.count, let start = unsafe frame.unsafePlane(plane) else { return nil }
        let step = samples.step(parts: parts)
        let rows = blit.conversion.scaling == nil ? step.rows : 1
        rowStep = rows * samples.mean
        stride = planes[plane].strideInBytes
        unsafe first = start + blit.firstRow * rows * stride + blit.firstColumn * step.bytes
        secondStride = other.map { planes[$0].strideInBytes } ?? 0
        unsafe second = other.flatMap { unsafe frame.unsafePlane($0) }.map {
            unsafe $0 + blit.firstRow * rows * planes[other ?? 0].strideInBytes + blit.firstColumn * step.bytes
        }
    }

    func line(_ row: Int) -> UnsafePointer<UInt8> {
        unsafe (first + row * rowStep * stride).assumingMemoryBound(to: UInt8.self)
    }

    /// The row `row` of the other chroma plane.
    func beside(_ row: Int) -> UnsafePointer<UInt8> {
        unsafe ((second ?? first) + row * rowStep * secondStride).assumingMemoryBound(to: UInt8.self)
    }

    /// The stride of the chroma plane from which the first (0) or the second (1) half of pairs is made.
    func stride(ofPart part: Int) -> Int { part == 0 ? stride : secondStride }
}

/// Makes rows of samples from a frame's rows: unpacks samples, interleaves planes, computes means.
struct SampleRows {
    private let samples: Blit.Samples
    /// The number of bytes in a sample.
    private let parts: Int
    private let isScaled: Bool
    /// Memory for the sums of a row's columns; nil where no means are computed.
    private let sums: RowMemory<UInt16>?
    private let columns: ColumnMeans?

    /// - Parameters:
    ///   - conversion: The conversion whose samples are made.
    ///   - parts: The number of bytes in a sample.
    ///   - count: The largest number of bytes in a row.
    init(_ conversion: Blit.Conversion, parts: Int, count: Int) {
        samples = conversion.samples
        self.parts = parts
        isScaled = conversion.scaling != nil
        sums = samples.mean > 1 ? RowMemory(rows: 1, count: RowMeans.room(of: samples.mean, count)) : nil
        columns = ColumnMeans(samples, parts: parts, count: count)
    }

    /// Makes one row of samples; where the frame's own samples can be used, nothing is copied.
    ///
    /// - Returns: The samples of the row, in the frame or in `out`.
    func take(
        _ row: Int, of rows: SourceRows, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) -> UnsafePointer<UInt8> {
        let line = unsafe rows.line(row)
        let stride = rows.stride
        let input = unsafe InputRows(line, stride: stride)
        switch (samples, unsafe sums?[0]) {
        case (.plane(let mean), let sums?):
            unsafe RowMeans.means(
                input, of: mean, isPairs: parts == 2,
                to: MeanRow(start: out, count: count, sums: sums, columns: columns))
        case (.plane, nil): return unsafe line
        case (.everySecond(let first, let mean), let sums?):
            unsafe PackedRows.means(
                input, first: first, mean, to: MeanRow(start: out, count: count, sums: sums, columns: columns))
        case (.everySecond(let first, _), nil):
            unsafe LibraryRows.takeEverySecond(line, stride, first: first, to: out, count)
        case (.packedChroma(let places, let mean), let sums?):
            unsafe PackedRows.means(
                input, places, mean, to: MeanRow(start: out, count: count, sums: sums, columns: columns))
        case (.packedChroma(let places, _), nil):
            // A scaled blit reads single rows: the mean of a row with itself is the row.
            unsafe PackedRows.average(line, isScaled ? line : line + stride, places, to: out, count)
        case (.bothPlanes(let mean), let sums?):
            let means = unsafe RowMeans.bytes(of: sums)
            let half = count / 2
            for part in 0...1 {
                let plane = unsafe part == 0 ? line : rows.beside(row)
                unsafe RowMeans.means(
                    InputRows(plane, stride: rows.stride(ofPart: part)), of: mean, isPairs: false,
                    to: MeanRow(start: means + part * half, count: half, sums: sums + half, columns: columns))
            }
            unsafe LibraryRows.interleave(means, means + half, to: out, half)
        case (.bothPlanes, nil): unsafe LibraryRows.interleave(line, rows.beside(row), to: out, count / 2)
        }
        return unsafe UnsafePointer(out)
    }
}

extension Blit.Samples {
    /// The distance between neighbouring samples: in rows of the source's plane, and in bytes along a row.
    fileprivate func step(parts: Int) -> (rows: Int, bytes: Int) {
        switch self {
        case .plane: (1, parts)
        case .everySecond: (1, 2)
        case .bothPlanes: (1, 1)
        case .packedChroma: (2, 4)
        }
    }
}

extension ColumnMeans {
    /// Creates the vector code for means of samples; nil where libyuv or shifts do it, or no vector code fits.
    ///
    /// - Parameters:
    ///   - samples: The samples whose means are computed.
    ///   - parts: The number of bytes in a sample.
    ///   - count: The number of bytes in a row of means.
    convenience init?(_ samples: Blit.Samples, parts: Int, count: Int) {
        let number = samples.mean
        let functions = RowSet.best.functions
        guard number != 1, number != 2, number != 4 else { return nil }
        switch samples {
        case .plane: self.init(columns: number, rows: number, results: count / parts, parts: parts, functions)
        case .everySecond: self.init(columns: number, rows: number, results: count, parts: 1, functions)
        case .bothPlanes: self.init(columns: number, rows: number, results: count / 2, parts: 1, functions)
        case .packedChroma(let places, _):
            // The two components of each macropixel must be in their order in memory.
            guard places.count == 1 || places == places.sorted() else { return nil }
            self.init(columns: number, rows: 2 * number, results: count / places.count, parts: places.count, functions)
        }
    }
}
