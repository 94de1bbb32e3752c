internal import CPixels
internal import PipPlan

/// A rotation by quarter turns, with or without mirroring.
struct Turn: Equatable {
    /// True when columns of the upright picture become rows.
    let swaps: Bool
    /// True when the picture's samples run from right to left across the canvas.
    let mirrorsColumns: Bool
    let mirrorsRows: Bool

    /// Creates the rotation of a map from canvas pixels to samples.
    init(_ map: Mapping) {
        swaps = abs(map.a) < 1e-9 && abs(map.e) < 1e-9
        mirrorsColumns = (swaps ? map.d : map.a) < 0
        mirrorsRows = (swaps ? map.b : map.e) < 0
    }

    var isIdentity: Bool { !swaps && !mirrorsColumns && !mirrorsRows }

    /// The region of the upright picture that is shown in `region`.
    func upright(_ region: RowRegion) -> RowRegion {
        swaps ? RowRegion(columns: region.rows, rows: region.columns) : region
    }

    /// The map from pixels of the upright region to pixels of the canvas.
    func canvas(_ region: RowRegion) -> Mapping {
        let (left, right) = (Double(region.columns.lowerBound), Double(region.columns.upperBound))
        let (top, bottom) = (Double(region.rows.lowerBound), Double(region.rows.upperBound))
        // Pixel (u, v) of the upright picture is (x, y) on the canvas, or (y, x) where the axes swap.
        let x = mirrorsColumns ? (scale: -1.0, offset: left + right) : (scale: 1.0, offset: 0.0)
        let y = mirrorsRows ? (scale: -1.0, offset: top + bottom) : (scale: 1.0, offset: 0.0)
        return swaps
            ? Mapping(a: 0, b: x.scale, c: x.offset, d: y.scale, e: 0, f: y.offset)
            : Mapping(a: x.scale, c: x.offset, e: y.scale, f: y.offset)
    }
}

/// Rotates or mirrors the rows that another head produces.
@safe final class TurnedHead: RowHead {
    private let functions: PipRowFunctions
    private let turn: Turn
    private let region: RowRegion
    private let inner: any RowHead
    private let components: Int
    private let scratch: RowBlock
    /// All rows of the region, component by component; nil when rows stay rows.
    private let picture: UnsafeMutablePointer<Float>?
    /// The number of floats from row to row of ``picture``.
    private let stride: Int
    /// Four upright rows of each component, before they are turned into columns.
    private let band: UnsafeMutablePointer<Float>?

    /// - Parameters:
    ///   - inner: The head that produces the upright region.
    ///   - turn: The rotation from the upright region to the canvas.
    ///   - region: The part of the canvas that is drawn.
    ///   - hasAlpha: True when the rows hold alpha.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(_ inner: any RowHead, _ turn: Turn, _ region: RowRegion, hasAlpha: Bool, _ functions: PipRowFunctions) {
        self.functions = functions
        self.inner = inner
        self.turn = turn
        self.region = region
        components = hasAlpha ? 4 : 3
        scratch = RowBlock(count: turn.upright(region).count, hasAlpha: hasAlpha)
        stride = (region.count + 3) & ~3
        let width = region.rows.count
        unsafe picture = turn.swaps ? .allocate(capacity: components * stride * width) : nil
        unsafe band = turn.swaps ? .allocate(capacity: components * 4 * width) : nil
        unsafe band?.initialize(repeating: 0, count: components * 4 * width)
    }

    deinit {
        unsafe picture?.deallocate()
        unsafe band?.deallocate()
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {
        inner.begin(memory, at: time)
        guard let picture = unsafe picture, let band = unsafe band else { return }
        let (width, height) = (region.rows.count, region.count)
        for line in 0..<height {
            inner.read(region.columns.lowerBound + line, into: scratch)
            for component in 0..<components {
                guard let from = unsafe scratch.component(component) else { continue }
                let slot = turn.mirrorsColumns ? 3 - line % 4 : line % 4
                unsafe (band + (component * 4 + slot) * width).update(from: from, count: width)
            }
            guard line % 4 == 3 || line == height - 1 else { continue }
            // When columns are mirrored, the unfilled columns of the last band come first.
            let first = turn.mirrorsColumns ? stride - 4 - line / 4 * 4 : line / 4 * 4
            for component in 0..<components {
                unsafe functions.turnFour(
                    band + component * 4 * width, Int32(width), picture + component * width * stride + first,
                    Int32(stride), Int32(width))
            }
        }
    }

    func read(_ row: Int, into block: RowBlock) {
        let count = region.count
        let index = row - region.rows.lowerBound
        let shown = turn.mirrorsRows ? region.rows.count - 1 - index : index
        if components == 3 { block.fill(3, with: 1, count: count) }
        let components = block.hasAlpha ? components : 3
        if let picture = unsafe picture {
            for component in 0..<components {
                let line = unsafe picture + (component * region.rows.count + shown) * stride
                let from = unsafe turn.mirrorsColumns ? line + stride - count : line
                unsafe block.component(component)?.update(from: from, count: count)
            }
            return
        }
        inner.read(region.rows.lowerBound + shown, into: block)
        guard turn.mirrorsColumns else { return }
        for component in 0..<components { unsafe functions.reverse(block.component(component), Int32(count)) }
    }
}
