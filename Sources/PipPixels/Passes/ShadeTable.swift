internal import CPixels
internal import PipPlan

/// The factors by which a shade, such as a vignette, multiplies the pixels of a region.
///
/// The factors are computed once, and again only after the shade's uniforms have changed.
@safe final class ShadeTable {
    private let shade: PlacedCall
    private let shades: UnsafeMutablePointer<Int16>
    private let means: UnsafeMutablePointer<Int16>
    private var changes: Int?

    private var region: RowRegion { shade.region }

    /// Creates a table; nil for a function that is no shade.
    init?(_ shade: PlacedCall) {
        guard shade.call.isShade else { return nil }
        self.shade = shade
        let (count, rows) = (shade.region.count, shade.region.rows.count)
        // Loops read up to a multiple of 16 factors.
        unsafe shades = .allocate(capacity: count * rows + 16)
        unsafe shades.initialize(repeating: 0, count: count * rows + 16)
        unsafe means = .allocate(capacity: (count / 2) * (rows / 2))
    }

    deinit {
        unsafe shades.deallocate()
        unsafe means.deallocate()
    }

    /// Prepares for a frame.
    func begin(_ memory: PlaneMemory, at time: Duration) {
        shade.call.begin(memory, at: time)
        guard changes != shade.call.changes else { return }
        changes = shade.call.changes
        compute()
    }

    /// The factors of a canvas row, in shares of 32768.
    func row(_ row: Int) -> UnsafePointer<Int16> {
        unsafe UnsafePointer(shades + (row - region.rows.lowerBound) * region.count)
    }

    /// The mean factors of 2×2 pixels each, of which the canvas row `row` is the upper one, in shares of 32768.
    func meanRow(_ row: Int) -> UnsafePointer<Int16> {
        unsafe UnsafePointer(means + (row - region.rows.lowerBound) / 2 * (region.count / 2))
    }

    /// Computes the factors, as the function's results for white.
    private func compute() {
        let count = region.count
        let block = RowBlock(count: count, hasAlpha: false)
        for row in 0..<region.rows.count {
            for component in 0..<3 { block.fill(component, with: 1, count: count) }
            shade.change(block, row: region.rows.lowerBound + row)
            guard let factors = unsafe block.component(0) else { return }
            for column in 0..<count {
                unsafe shades[row * count + column] = Int16(min(max(factors[column] * 32768, 0), 32767).rounded())
            }
        }
        for row in 0..<region.rows.count / 2 {
            let upper = unsafe shades + 2 * row * count
            for column in 0..<count / 2 {
                let sum = unsafe Int(upper[2 * column]) + Int(upper[2 * column + 1])
                let below = unsafe Int(upper[count + 2 * column]) + Int(upper[count + 2 * column + 1])
                unsafe means[row * (count / 2) + column] = Int16((sum + below + 2) / 4)
            }
        }
    }
}

/// Multiplies pixels by the factors of a shade.
final class ShadeOperation: RowOperation {
    let table: ShadeTable
    private let count: Int
    private let functions: PipRowFunctions

    /// - Parameters:
    ///   - table: The factors.
    ///   - count: The number of pixels in a row.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(_ table: ShadeTable, count: Int, _ functions: PipRowFunctions) {
        self.table = table
        self.count = count
        self.functions = functions
    }

    func begin(_ memory: PlaneMemory, at time: Duration) { table.begin(memory, at: time) }

    func apply(to block: RowBlock, row: Int) { unsafe functions.shade(table.row(row), block.rows, Int32(count)) }
}
