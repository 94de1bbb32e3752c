/// A ring buffer of rows, which keeps the newest rows.
@safe final class RowMemory<Number: FixedWidthInteger> {
    private let numbers: UnsafeMutablePointer<Number>
    private let rows: Int
    private let count: Int

    /// Allocates rows of `count` values each.
    init(rows: Int, count: Int) {
        self.rows = rows
        self.count = count
        unsafe numbers = .allocate(capacity: rows * count)
        unsafe numbers.initialize(repeating: 0, count: rows * count)
    }

    deinit { unsafe numbers.deallocate() }

    /// The memory of a row, whose index counts from 0; reuses the memory of the oldest row.
    subscript(row: Int) -> UnsafeMutablePointer<Number> { unsafe numbers + row % rows * count }
}
