internal import CPixels
internal import PipConcurrency
internal import PipEffects
internal import PipPlan
internal import Synchronization

/// The factors by which a shade, such as a vignette, multiplies the pixels of a pass.
///
/// The passes of several plans share a table: while a layer moves, each frame has a plan of its own.
///
/// Sendable, because nothing changes after the initializer.
@safe final class ShadeTable: @unchecked Sendable {
    /// A shade with its parameters, and the pixels for which the factors are computed.
    struct Key: Hashable {
        let call: ShaderCall
        /// The map from canvas pixels to the function's positions.
        let positions: Mapping
        /// The columns and rows of the canvas, which begin with even ones.
        let columns: Range<Int>
        let rows: Range<Int>
    }

    private struct Kept {
        weak var table: ShadeTable?
    }

    private static let kept = Mutex<[Key: Kept]>([:])

    private let columns: Range<Int>
    private let rows: Range<Int>
    private let shades: UnsafeMutablePointer<Int16>
    private let means: UnsafeMutablePointer<Int16>

    /// The table for a key; nil for a function that is no shade, or changes with time.
    static func table(_ key: Key, _ set: RowSet) -> ShadeTable? {
        guard key.call.isShade else { return nil }
        return kept.withLock { kept in
            if let table = kept[key]?.table { return table }
            guard let table = ShadeTable(key, set) else { return nil }
            kept = kept.filter { $0.value.table != nil }
            kept[key] = Kept(table: table)
            return table
        }
    }

    /// Computes the factors, as the function's results for white.
    private init?(_ key: Key, _ set: RowSet) {
        guard let call = EffectCall(key.call, set.set), !call.changesWithTime else { return nil }
        (columns, rows) = (key.columns, key.rows)
        let functions = set.functions
        let (count, half) = (columns.count, columns.count / 2)
        unsafe shades = .allocate(capacity: count * rows.count)
        unsafe means = .allocate(capacity: half * (rows.count / 2))
        let shade = PlacedCall(call, key.positions, RowRegion(columns: columns, rows: rows))
        let block = RowBlock(count: count, hasAlpha: false)
        for row in 0..<rows.count {
            for component in 0..<3 { block.fill(component, with: 1, count: count) }
            shade.change(block, row: rows.lowerBound + row)
            unsafe functions.shadesOf(block.component(0), shades + row * count, Int32(count))
        }
        for row in 0..<rows.count / 2 {
            let upper = unsafe shades + 2 * row * count
            unsafe functions.meanShades(upper, upper + count, means + row * half, Int32(half))
        }
    }

    deinit {
        unsafe shades.deallocate()
        unsafe means.deallocate()
    }

    /// The factors of a canvas row from a column on, in shares of 32768.
    func row(_ row: Int, from column: Int) -> UnsafePointer<Int16> {
        unsafe UnsafePointer(shades + (row - rows.lowerBound) * columns.count + column - columns.lowerBound)
    }

    /// The mean factors of 2×2 pixels each, from the canvas pixel on that is the first one's upper left, in shares of
    /// 32768.
    func meanRow(_ row: Int, from column: Int) -> UnsafePointer<Int16> {
        let line = (row - rows.lowerBound) / 2 * (columns.count / 2)
        return unsafe UnsafePointer(means + line + (column - columns.lowerBound) / 2)
    }
}

/// Multiplies pixels by the factors of a shade.
final class ShadeOperation: RowOperation {
    let table: ShadeTable
    private let region: RowRegion
    private let functions: PipRowFunctions

    /// - Parameters:
    ///   - table: The factors.
    ///   - region: The part of the canvas that is drawn.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(_ table: ShadeTable, _ region: RowRegion, _ functions: PipRowFunctions) {
        self.table = table
        self.region = region
        self.functions = functions
    }

    func begin(_ memory: PlaneMemory, at time: Duration) {}

    func apply(to block: RowBlock, row: Int) {
        unsafe functions.shade(table.row(row, from: region.columns.lowerBound), block.rows, Int32(region.count))
    }
}
