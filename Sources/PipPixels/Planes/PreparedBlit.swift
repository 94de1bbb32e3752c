internal import PipFrames
internal import PipPlan

/// Performs one blit, and owns the memory for intermediate rows.
///
/// Reads samples row by row, scales or filters them, and changes their values.
final class PreparedBlit: PlaneWriter {
    let source: Int
    private let blit: Blit
    /// The number of bytes in a row of the result.
    private let count: Int
    private let parts: Int
    private let samples: SampleRows
    private let values: ValueMap
    private let filter: RowFilter?
    private let scaler: RowScaler?
    /// Memory for the last source rows that are filtered or scaled.
    ///
    /// Nil where the frame's own rows are read, and where rows are neither filtered nor scaled.
    private let lines: RowMemory<UInt8>?
    /// The number of bytes in each row of ``lines``.
    private let lineCount: Int

    init(_ blit: Blit, source: Int) {
        self.source = source
        self.blit = blit
        let conversion = blit.conversion
        count = blit.byteCount / max(blit.region.height, 1)
        let parts = count / max(blit.region.width, 1)
        self.parts = parts
        samples = SampleRows(conversion, parts: parts, count: count)
        values = ValueMap(conversion.values)
        filter = conversion.kernel.map { RowFilter($0, size: blit.region.size, parts: parts) }
        scaler = conversion.scaling.map { RowScaler($0, size: blit.region.size, parts: parts) }
        lineCount = conversion.scaling.map { $0.source.width * parts } ?? count
        let isOwn = conversion.samples == .plane(mean: 1) || (filter == nil && scaler == nil)
        lines = isOwn ? nil : RowMemory(rows: max(4, scaler?.taps ?? 0), count: lineCount)
    }

    var rows: Int { blit.region.height }

    var readsPacked: Bool {
        guard filter == nil, scaler == nil else { return false }
        switch blit.conversion.samples {
        case .everySecond, .packedChroma: return true
        case .plane, .bothPlanes: return false
        }
    }

    func write(_ rows: Range<Int>, from frame: Frame, to buffer: FrameBuffer, _ layout: FrameLayout) {
        guard let source = SourceRows(blit, parts, frame), let target = PlaneTarget(blit, buffer, layout) else {
            return
        }
        if blit.conversion == Blit.Conversion() {
            unsafe copyRows(
                from: InputRows(source.first, stride: source.stride),
                to: OutputRows(target.first, stride: target.stride), rowBytes: count, rows: blit.region.height)
            return
        }
        var next = 0
        func line(_ row: Int) -> UnsafePointer<UInt8> {
            guard let lines else { return unsafe source.line(row) }
            while next <= row {
                _ = unsafe samples.take(next, of: source, to: lines[next], lineCount)
                next += 1
            }
            return unsafe UnsafePointer(lines[row])
        }
        unsafe filter?.run(from: line, to: target.line)
        unsafe scaler?.run(from: line, to: target.line)
        let isWritten = filter != nil || scaler != nil
        for row in rows {
            let out = unsafe target.line(row)
            let taken = unsafe isWritten ? UnsafePointer(out) : samples.take(row, of: source, to: out, count)
            unsafe values.change(taken, to: out, count)
        }
    }
}
