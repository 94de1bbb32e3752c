import Foundation
import PipFrames
import PipPlan
import Testing

@testable import PipPixels

@Suite("Symmetric kernels over planes")
struct RowFilterTests {
    /// The weights of a normalized Gaussian kernel, from the centre to `reach`.
    private static func bell(reach: Int) -> [Double] {
        let sigma = max(Double(reach) / 2.5, 0.3)
        let half = (0...reach).map { exp(-pow(Double($0) / sigma, 2) / 2) }
        let sum = 2 * half.reduce(0, +) - half[0]
        return half.map { $0 / sum }
    }

    private func filtered(_ plane: Plane, _ weights: [Double], isHalved: Bool = false) -> Plane {
        let size = PixelSize(plane.width, plane.height)
        let filter = RowFilter(Blit.Kernel(weights, isHalved: isHalved), size: size, parts: plane.parts)
        var result = Plane(plane.width, plane.height, parts: plane.parts) { _, _, _ in 0 }
        unsafe plane.withRows { source in
            unsafe result.withMutableRows { target in unsafe filter.run(from: source, to: target) }
        }
        return result
    }

    /// The exact result of a symmetric kernel at one position, both across and down.
    private func sum(_ weights: [Double], _ x: Int, _ y: Int, _ sample: (Int, Int) -> Double) -> Double {
        var sum = 0.0
        let reach = weights.count - 1
        for down in -reach...reach {
            for across in -reach...reach {
                sum += weights[abs(down)] * weights[abs(across)] * sample(x + across, y + down)
            }
        }
        return sum
    }

    @Test("filtered planes are within a step of the exact sums", arguments: [1, 2, 3, 4, 7, 12], [1, 2])
    func reference(reach: Int, parts: Int) {
        let weights = Self.bell(reach: reach)
        let plane = Plane(41, 23, parts: parts, seed: reach)
        let result = filtered(plane, weights)
        let worst = result.difference { x, y, part in sum(weights, x, y) { plane[$0, $1, part] } }
        #expect(worst.steps <= 1, "\(worst.place)")
        #expect(result.isPaddingIntact)
    }

    @Test("planes smaller than the kernel are filtered correctly", arguments: [(1, 1), (2, 1), (1, 5), (3, 2)])
    func smallPlanes(width: Int, height: Int) {
        let weights = Self.bell(reach: 6)
        let plane = Plane(width, height, seed: width)
        let worst = filtered(plane, weights).difference { x, y, part in sum(weights, x, y) { plane[$0, $1, part] } }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("kernels leave one colour unchanged", arguments: [0, 1, 16, 128, 235, 254, 255] as [UInt8], [false, true])
    func oneColour(sample: UInt8, isHalved: Bool) {
        for reach in [1, 4, 9] {
            let plane = Plane(30, 14) { _, _, _ in sample }
            let result = filtered(plane, Self.bell(reach: reach), isHalved: isHalved)
            #expect(result.difference { _, _, _ in Double(sample) }.steps == 0, "reach \(reach)")
        }
    }

    @Test(
        "kernels at half the size are within a step of scaling down, filtering and scaling up exactly",
        arguments: [(40, 24), (41, 23)],
        [1, 2])
    func halved(_ size: (Int, Int), parts: Int) {
        let weights = Self.bell(reach: 3)
        let plane = Plane(size.0, size.1, parts: parts, seed: parts)
        let result = filtered(plane, weights, isHalved: true)
        let outer = [1.0, 3, 3, 1].map { $0 / 8 }
        /// A sample of the plane at half the size, also beyond the edges.
        func half(_ x: Int, _ y: Int, _ part: Int) -> Double {
            var sum = 0.0
            for down in 0..<4 {
                for across in 0..<4 {
                    sum += outer[down] * outer[across] * plane[2 * x - 1 + across, 2 * y - 1 + down, part]
                }
            }
            return sum
        }
        let worst = result.difference { x, y, part in
            var total = 0.0
            for (row, own) in [(y / 2, 0.75), (y / 2 + (y % 2 == 0 ? -1 : 1), 0.25)] {
                for (column, share) in [(x / 2, 0.75), (x / 2 + (x % 2 == 0 ? -1 : 1), 0.25)] {
                    total += own * share * sum(weights, column, row) { half($0, $1, part) }
                }
            }
            return total
        }
        #expect(worst.steps <= 1.25, "\(worst.place)")
        #expect(result.isPaddingIntact)
    }
}
