import PipPlan
import Testing

@testable import PipPixels

@Suite("Rows of packed 4:2:2")
struct PackedRowsTests {
    /// A packed plane whose columns are macropixels of four bytes.
    private static let plane = Plane(29, 24, parts: 4)

    /// A function that writes one row.
    ///
    /// The function gets the first source row, the source's stride, the destination, its length, and memory for sums.
    private typealias RowWriter = (
        _ line: UnsafePointer<UInt8>, _ stride: Int, _ out: UnsafeMutablePointer<UInt8>, _ count: Int,
        _ sums: UnsafeMutablePointer<UInt16>
    ) -> Void

    /// The plane that `write` makes, each of whose rows comes from `rowStep` rows of the source.
    private func rows(_ width: Int, parts: Int, of rowStep: Int, _ write: RowWriter) -> Plane {
        let source = Self.plane
        var result = Plane(width, source.height / rowStep, parts: parts) { _, _, _ in 0 }
        let sums = RowMemory<UInt16>(rows: 1, count: source.width * 8 + ColumnMeans.room)
        let height = result.height
        unsafe source.withRows { lines in
            unsafe result.withMutableRows { target in
                for row in 0..<height {
                    unsafe write(lines(row * rowStep), source.stride, target(row), width * parts, sums[0])
                }
            }
        }
        return result
    }

    /// The mean of the source's bytes over an area.
    ///
    /// `byte` maps a column to the index of a byte in the row.
    private func mean(columns: Range<Int>, rows: Range<Int>, _ byte: (Int) -> Int) -> Double {
        let total = rows.reduce(0.0) { sum, row in
            columns.reduce(sum) { $0 + Self.plane[byte($1) / 4, row, byte($1) % 4] }
        }
        return total / Double(columns.count * rows.count)
    }

    @Test("every second byte is luma", arguments: [0, 1])
    func luma(first: Int) {
        let result = unsafe rows(Self.plane.width * 2, parts: 1, of: 1) { line, stride, out, count, _ in
            unsafe LibraryRows.takeEverySecond(line, stride, first: first, to: out, count)
        }
        #expect(
            result.difference { x, y, _ in mean(columns: x..<x + 1, rows: y..<y + 1) { 2 * $0 + first } }.steps == 0)
        #expect(result.isPaddingIntact)
    }

    @Test("means of luma are the nearest samples", arguments: [0, 1], 2...7)
    func lumaMeans(first: Int, number: Int) {
        let width = Self.plane.width * 2 / number
        let result = unsafe rows(width, parts: 1, of: number) { line, stride, out, count, sums in
            unsafe PackedRows.means(
                InputRows(line, stride: stride), first: first, number,
                to: MeanRow(
                    start: out, count: count, sums: sums,
                    columns: ColumnMeans(.everySecond(first: first, mean: number), parts: 1, count: count)))
        }
        let worst = result.difference { x, y, _ in
            mean(columns: x * number..<(x + 1) * number, rows: y * number..<(y + 1) * number) { 2 * $0 + first }
        }
        #expect(worst.steps <= 0.5001, "\(worst.place)")
    }

    /// The positions of Cb and Cr within a macropixel, for all packed formats, and of Cb or Cr alone.
    private static let places = [[1, 3], [3, 1], [0, 2], [2, 0], [1], [3], [0], [2]]

    @Test("chroma is the mean of two rows", arguments: places)
    func chroma(places: [Int]) {
        let result = unsafe rows(Self.plane.width, parts: places.count, of: 2) { line, stride, out, count, _ in
            unsafe PackedRows.average(line, line + stride, places, to: out, count)
        }
        let worst = result.difference { x, y, part in
            mean(columns: x..<x + 1, rows: 2 * y..<2 * y + 2) { 4 * $0 + places[part] }
        }
        #expect(worst.steps <= 0.5, "\(worst.place)")
        #expect(result.isPaddingIntact)
    }

    @Test("means of chroma over an area are the nearest samples", arguments: places, 2...5)
    func chromaMeans(places: [Int], number: Int) {
        let result = unsafe rows(Self.plane.width / number, parts: places.count, of: 2 * number) {
            line, stride, out, count, sums in
            unsafe PackedRows.means(
                InputRows(line, stride: stride), places, number,
                to: MeanRow(
                    start: out, count: count, sums: sums,
                    columns: ColumnMeans(.packedChroma(places: places, mean: number), parts: 2, count: count)))
        }
        let worst = result.difference { x, y, part in
            let lines = 2 * number * y..<2 * number * (y + 1)
            return mean(columns: x * number..<(x + 1) * number, rows: lines) { 4 * $0 + places[part] }
        }
        #expect(worst.steps <= 0.5001, "\(worst.place)")
    }

    @Test("two chroma planes are interleaved")
    func interleaving() {
        let (first, second) = (Plane(33, 3, seed: 1), Plane(33, 3, seed: 2))
        var result = Plane(33, 3, parts: 2) { _, _, _ in 0 }
        unsafe first.withRows { low in
            unsafe second.withRows { high in
                unsafe result.withMutableRows { target in
                    for row in 0..<3 { unsafe LibraryRows.interleave(low(row), high(row), to: target(row), 33) }
                }
            }
        }
        #expect(result.difference { x, y, part in part == 0 ? first[x, y, 0] : second[x, y, 0] }.steps == 0)
    }

    @Test("interleaved chroma becomes two planes, and nothing else changes", arguments: [1, 2, 33, 64])
    func splitting(width: Int) {
        let pairs = Plane(width, 3, parts: 2)
        var (first, second) = (Plane(width, 3) { _, _, _ in 0 }, Plane(width, 3) { _, _, _ in 0 })
        unsafe pairs.withRows { source in
            unsafe first.withMutableRows { low in
                unsafe second.withMutableRows { high in
                    for row in 0..<3 { unsafe LibraryRows.split(source(row), to: low(row), high(row), width) }
                }
            }
        }
        for (part, plane) in [first, second].enumerated() {
            #expect(plane.difference { x, y, _ in pairs[x, y, part] }.steps == 0)
            #expect(plane.isPaddingIntact)
        }
    }

    @Test(
        "one component of pairs is taken up to the last pair, however many there are",
        arguments: [1, 2, 31, 33, 64], [0, 1])
    func half(width: Int, first: Int) {
        let pairs = Plane(width, 3, parts: 2)
        var result = Plane(width, 3) { _, _, _ in 0 }
        unsafe pairs.withRows { source in
            unsafe result.withMutableRows { target in
                for row in 0..<3 {
                    unsafe LibraryRows.takeEverySecond(source(row), pairs.stride, first: first, to: target(row), width)
                }
            }
        }
        #expect(result.difference { x, y, _ in pairs[x, y, first] }.steps == 0)
        #expect(result.isPaddingIntact)
    }
}
