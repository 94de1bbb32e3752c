import PipPlan
import Testing

@testable import PipPixels

@Suite("Tables of values")
struct ValueTablesTests {
    private func nearest(_ value: Double) -> Double { min(max(value, 0), 255).rounded() }

    @Test(
        "a byte becomes the nearest one to its affine image, within 0 and 255",
        arguments: [(1, 0), (1.5, -0.25), (-1, 1), (0, 0.5), (3, 0)] as [(Double, Double)])
    func bytes(scale: Double, offset: Double) {
        let tables = ValueTables(.affine(scale: scale, offset: offset))
        let plane = Plane(256, 1) { x, _, _ in UInt8(x) }
        var result = plane
        unsafe plane.withRows { source in
            unsafe result.withMutableRows { target in unsafe tables.change(source(0), to: target(0), 256) }
        }
        #expect(result.difference { x, _, _ in nearest(scale * Double(x) + offset * 255) }.steps == 0)
        #expect(result.isPaddingIntact)
    }

    private static let matrix = [0.9, -0.3, 0.4, 1.2]
    private static let offset = [0.1, -0.2]

    private func image(_ part: Int, _ low: Double, _ high: Double) -> Double {
        nearest(Self.matrix[2 * part] * low + Self.matrix[2 * part + 1] * high + Self.offset[part] * 255)
    }

    @Test("a pair becomes the nearest one to its affine image")
    func pairs() {
        let tables = ValueTables(.affinePairs(matrix: Self.matrix, offset: Self.offset))
        let plane = Plane(97, 5, parts: 2)
        var result = plane
        unsafe plane.withRows { source in
            unsafe result.withMutableRows { target in
                for row in 0..<5 { unsafe tables.change(source(row), to: target(row), 2 * 97) }
            }
        }
        let worst = result.difference { x, y, part in image(part, plane[x, y, 0], plane[x, y, 1]) }
        #expect(worst.steps == 0, "\(worst.place)")
    }

    @Test("a pair may lie in two rows")
    func partedPairs() {
        let tables = ValueTables(.affinePairs(matrix: Self.matrix, offset: Self.offset))
        let (first, second) = (Plane(61, 1, seed: 1), Plane(61, 1, seed: 2))
        var (low, high) = (first, second)
        unsafe first.withRows { first in
            unsafe second.withRows { second in
                unsafe low.withMutableRows { low in
                    unsafe high.withMutableRows { high in
                        unsafe tables.changePairs(first(0), second(0), to: low(0), high(0), 61)
                    }
                }
            }
        }
        #expect(low.difference { x, _, _ in image(0, first[x, 0, 0], second[x, 0, 0]) }.steps == 0)
        #expect(high.difference { x, _, _ in image(1, first[x, 0, 0], second[x, 0, 0]) }.steps == 0)
    }

    @Test("values that stay are not written")
    func same() {
        let tables = ValueTables(.same)
        let plane = Plane(16, 1, seed: 1)
        var result = Plane(16, 1, seed: 2)
        let before = result.bytes
        unsafe plane.withRows { source in
            unsafe result.withMutableRows { target in unsafe tables.change(source(0), to: target(0), 16) }
        }
        #expect(result.bytes == before)
    }
}
