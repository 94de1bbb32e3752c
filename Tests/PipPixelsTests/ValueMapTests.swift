import PipPlan
import Testing

@testable import PipPixels

@Suite("Affine changes of samples")
struct ValueMapTests {
    private func limited(_ value: Double) -> Double { min(max(value, 0), 255) }
    /// The largest rounding error, in steps: single precision may round a half up or down.
    private let half = 0.5001

    @Test(
        "a byte becomes the nearest one to its affine image, within 0 and 255",
        arguments: [(1, 0), (1.5, -0.25), (-1, 1), (0, 0.5), (3, 0)] as [(Double, Double)])
    func bytes(scale: Double, offset: Double) {
        let map = ValueMap(.affine(scale: scale, offset: offset))
        let plane = Plane(256, 1) { x, _, _ in UInt8(x) }
        var result = plane
        unsafe plane.withRows { source in
            unsafe result.withMutableRows { target in unsafe map.change(source(0), to: target(0), 256) }
        }
        #expect(result.difference { x, _, _ in limited(scale * Double(x) + offset * 255) }.steps <= half)
        #expect(result.isPaddingIntact)
    }

    private static let matrix = [0.9, -0.3, 0.4, 1.2]
    private static let offset = [0.1, -0.2]

    private func image(_ part: Int, _ low: Double, _ high: Double) -> Double {
        limited(Self.matrix[2 * part] * low + Self.matrix[2 * part + 1] * high + Self.offset[part] * 255)
    }

    @Test("a pair of bytes becomes the nearest pair to its affine image")
    func pairs() {
        let map = ValueMap(.affinePairs(matrix: Self.matrix, offset: Self.offset))
        let plane = Plane(97, 5, parts: 2)
        var result = plane
        unsafe plane.withRows { source in
            unsafe result.withMutableRows { target in
                for row in 0..<5 { unsafe map.change(source(row), to: target(row), 2 * 97) }
            }
        }
        let worst = result.difference { x, y, part in image(part, plane[x, y, 0], plane[x, y, 1]) }
        #expect(worst.steps <= half, "\(worst.place)")
    }

    @Test("the two bytes of a pair may lie in two rows")
    func partedPairs() {
        let map = ValueMap(.affinePairs(matrix: Self.matrix, offset: Self.offset))
        let (first, second) = (Plane(61, 1, seed: 1), Plane(61, 1, seed: 2))
        var (low, high) = (first, second)
        unsafe first.withRows { first in
            unsafe second.withRows { second in
                unsafe low.withMutableRows { low in
                    unsafe high.withMutableRows { high in
                        unsafe map.changePairs(first(0), second(0), to: low(0), high(0), 61)
                    }
                }
            }
        }
        #expect(low.difference { x, _, _ in image(0, first[x, 0, 0], second[x, 0, 0]) }.steps <= half)
        #expect(high.difference { x, _, _ in image(1, first[x, 0, 0], second[x, 0, 0]) }.steps <= half)
    }

    @Test("unchanged values are not written")
    func same() {
        let map = ValueMap(.same)
        let plane = Plane(16, 1, seed: 1)
        var result = Plane(16, 1, seed: 2)
        let before = result.bytes
        unsafe plane.withRows { source in
            unsafe result.withMutableRows { target in unsafe map.change(source(0), to: target(0), 16) }
        }
        #expect(result.bytes == before)
    }
}
