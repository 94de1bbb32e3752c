internal import PipFrames
internal import PipPlan

/// A part of an output's plane that the CPU makes of a source's frame, with its tables and memory.
///
/// Samples are taken row by row, made more or less or mixed with their neighbours, and change their values. It lives on its context's thread.
final class PreparedCopy {
    /// The index of the source.
    let source: Int
    private let copy: PlaneCopy
    /// Bytes in a row of the result, and in a sample.
    private let count: Int
    private let parts: Int
    private let tables: ValueTables
    private let filter: RowFilter?
    private let scaler: RowScaler?
    /// Rows that are filtered or scaled, where they are not a frame's own: as many as are read at once.
    private let lines: RowMemory<UInt8>?
    /// Bytes in each of them.
    private let lineCount: Int
    /// Sums of a row's columns; nil where there are no means.
    private let sums: RowMemory<UInt16>?

    init(_ copy: PlaneCopy, source: Int) {
        self.source = source
        self.copy = copy
        let conversion = copy.conversion
        count = copy.byteCount / max(copy.region.height, 1)
        let parts = count / max(copy.region.width, 1)
        self.parts = parts
        tables = ValueTables(conversion.values)
        filter = conversion.kernel.map { RowFilter($0, size: copy.region.size, parts: parts) }
        scaler = conversion.scaling.map { RowScaler($0, size: copy.region.size, parts: parts) }
        lineCount = conversion.scaling.map { $0.source.width * parts } ?? count
        let isOwn = conversion.samples == .plane(mean: 1) || (filter == nil && scaler == nil)
        lines = isOwn ? nil : RowMemory(rows: 4, count: lineCount)
        let mean = conversion.samples.mean
        sums = mean > 1 ? RowMemory(rows: 1, count: count * mean * 2) : nil
    }

    /// Writes its part; allocates nothing.
    func run(from frame: Frame, to buffer: FrameBuffer, _ layout: FrameLayout) {
        let target = unsafe buffer.mutableBytes(ofPlane: copy.plane)
        guard let rows = SourceRows(copy, parts, frame), let to = target.baseAddress else { return }
        let own = layout.planes[copy.plane]
        let result = unsafe to + own.offset + copy.region.y * own.strideInBytes + copy.region.x * parts
        if copy.conversion == PlaneConversion() {
            unsafe copyRows(
                from: rows.first, stride: rows.stride, to: result, stride: own.strideInBytes, rowBytes: count,
                rows: copy.region.height)
            return
        }
        func out(_ row: Int) -> UnsafeMutablePointer<UInt8> {
            unsafe (result + row * own.strideInBytes).assumingMemoryBound(to: UInt8.self)
        }
        if case .affineOfBoth = copy.conversion.values {
            for row in 0..<copy.region.height {
                unsafe tables.mix(rows.line(row), rows.beside(row), to: out(row), count)
            }
            return
        }
        var next = 0
        func line(_ row: Int) -> UnsafePointer<UInt8> {
            guard let lines else { return unsafe rows.line(row) }
            while next <= row {
                _ = unsafe take(next, of: rows, to: lines[next], lineCount)
                next += 1
            }
            return unsafe UnsafePointer(lines[row])
        }
        unsafe filter?.run(from: line, to: out)
        unsafe scaler?.run(from: line, to: out)
        let isWritten = filter != nil || scaler != nil
        for row in 0..<copy.region.height {
            let samples = unsafe isWritten ? UnsafePointer(out(row)) : take(row, of: rows, to: out(row), count)
            unsafe tables.change(samples, to: out(row), count)
        }
    }

    /// Makes one row of samples, where they are not a frame's own.
    ///
    /// - Returns: Where they are.
    private func take(
        _ row: Int, of rows: SourceRows, to out: UnsafeMutablePointer<UInt8>, _ count: Int
    ) -> UnsafePointer<UInt8> {
        let line = unsafe rows.line(row)
        let stride = rows.stride
        switch (copy.conversion.samples, unsafe sums?[0]) {
        case (.plane(let mean), let sums?):
            unsafe RowMeans.means(line, stride, of: mean, to: out, count, isPairs: parts == 2, sums: sums)
        case (.plane, nil): return unsafe line
        case (.everySecond(let first, let mean), let sums?):
            unsafe PackedRows.means(line + first, stride, mean, to: out, count, sums: sums)
        case (.everySecond(let first, _), nil): unsafe PackedRows.takeEverySecond(line + first, to: out, count)
        case (.packedChroma(let places, let mean), let sums?):
            unsafe PackedRows.means(line, stride, places, mean, to: out, count, sums: sums)
        case (.packedChroma(let places, _), nil):
            // The mean of a row and itself is that row.
            unsafe PackedRows.average(line, scaler == nil ? line + stride : line, places, to: out, count)
        case (.bothPlanes(let mean), let sums?):
            for part in 0...1 {
                let half = unsafe part == 0 ? line : rows.beside(row)
                unsafe RowMeans.add(half, rows.stride(ofPart: part), rows: mean, to: sums, count / 2 * mean)
                unsafe RowMeans.divide(sums, step: 1, columns: mean, rows: mean, to: out + part, step: 2, count / 2)
            }
        case (.bothPlanes, nil): unsafe PackedRows.interleave(line, rows.beside(row), to: out, count)
        }
        return unsafe UnsafePointer(out)
    }
}

/// Where the rows of a frame are that a copy reads.
@safe private struct SourceRows {
    let first: UnsafeRawPointer
    let stride: Int
    /// The other plane of chroma, where both are read.
    private let second: UnsafeRawPointer?
    private let secondStride: Int
    private let rowStep: Int

    /// Nil where the frame has no such planes.
    init?(_ copy: PlaneCopy, _ parts: Int, _ frame: Frame) {
        let samples = copy.conversion.samples
        let planes = frame.layout.planes
        var (plane, other) = (min(copy.plane, planes.count - 1), Int?.none)
        if case .affineOfBoth = copy.conversion.values { other = 3 - copy.plane }
        if case .bothPlanes = samples { (plane, other) = (1, 2) }
        guard max(plane, other ?? 0) < planes.count, let start = unsafe frame.unsafePlane(plane) else { return nil }
        let step = samples.step(parts: parts)
        let rows = copy.conversion.scaling == nil ? step.rows : 1
        rowStep = rows * samples.mean
        stride = planes[plane].strideInBytes
        unsafe first = start + copy.firstRow * rows * stride + copy.firstColumn * step.bytes
        secondStride = other.map { planes[$0].strideInBytes } ?? 0
        unsafe second = other.flatMap { unsafe frame.unsafePlane($0) }.map {
            unsafe $0 + copy.firstRow * rows * planes[other ?? 0].strideInBytes + copy.firstColumn * step.bytes
        }
    }

    func line(_ row: Int) -> UnsafePointer<UInt8> {
        unsafe (first + row * rowStep * stride).assumingMemoryBound(to: UInt8.self)
    }

    /// The same row of the other plane.
    func beside(_ row: Int) -> UnsafePointer<UInt8> {
        unsafe ((second ?? first) + row * rowStep * secondStride).assumingMemoryBound(to: UInt8.self)
    }

    /// Of the plane that makes the first or the second half of pairs.
    func stride(ofPart part: Int) -> Int { part == 0 ? stride : secondStride }
}

extension PlaneConversion.Samples {
    /// From one sample to the next: rows of the source's plane, and bytes.
    fileprivate func step(parts: Int) -> (rows: Int, bytes: Int) {
        switch self {
        case .plane: (1, parts)
        case .everySecond: (1, 2)
        case .bothPlanes: (1, 1)
        case .packedChroma: (2, 4)
        }
    }
}
