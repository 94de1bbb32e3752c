import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Scaled and rotated layers")
struct AreaTests {
    /// Sizes from a fourth to one and a half times the picture's.
    static let sizes = [PixelSize(24, 16), PixelSize(30, 20), PixelSize(48, 32), PixelSize(72, 48), PixelSize(144, 96)]

    @Test("each pixel is the mean of the samples in its area", arguments: sizes, Orientation.allCases)
    func drawn(shown: PixelSize, orientation: Orientation) async throws {
        try await check(shown, orientation, isCopied: false)
    }

    @Test("the CPU computes the same means", arguments: sizes)
    func copied(shown: PixelSize) async throws { try await check(shown, .identity, isCopied: true) }

    private func check(_ shown: PixelSize, _ orientation: Orientation, isCopied: Bool) async throws {
        let gpu = try await RenderContext()
        let canvas = PixelSize(192, 192)
        let main = TestSource(testPicture(.i420, canvas))
        let inset = TestSource(testPicture(.nv12, PixelSize(96, 64), seed: 3))
        let size = orientation.swapsAxes ? shown.transposed : shown
        let picture = Compositor(canvas: canvas) {
            Layer(main)
            Layer(inset).placed(x: 8, y: 16, width: size.width, height: size.height).oriented(orientation)
        }
        let frame = try await rendered(picture, [main, inset], to: .i420, on: gpu) {
            $0.renderer = isCopied ? .software : .gpu
        }
        for plane in 0..<2 {
            let step = plane == 0 ? 1 : 2
            let actual = bytes(of: frame, plane: plane)
            let samples = Samples(of: inset.frame, plane: plane)
            var largest = 0.0
            for y in 0..<size.height / step {
                for x in 0..<size.width / step {
                    let expected = samples.mean(x, y, of: PixelSize(size.width / step, size.height / step), orientation)
                    let value = actual[(16 / step + y) * canvas.width / step + 8 / step + x]
                    largest = max(largest, abs(Double(value) - expected))
                }
            }
            // The chroma of rotated and mirrored layers is interpolated for each pixel before four pixels are averaged.
            let limit = plane == 0 ? 0.6 : orientation == .identity ? 1 : 3
            #expect(largest <= limit, "plane \(plane)")
        }
    }
}

/// The samples of one component, with exact means in `Double`.
private struct Samples {
    let values: [Double]
    let size: PixelSize

    /// Reads the luma samples of an NV12 frame (plane 0), or its Cb samples (plane 1).
    init(of frame: Frame, plane: Int) {
        size = frame.layout.planes[plane].dimensions
        let all = bytes(of: frame, plane: plane)
        let count = size.area
        values = (0..<count).map { Double(all[plane == 0 ? $0 : $0 * 2]) }
    }

    /// The mean of the area that a pixel of a rotated and scaled picture covers, at least one sample wide.
    ///
    /// The samples at the edges continue beyond them.
    func mean(_ x: Int, _ y: Int, of shown: PixelSize, _ orientation: Orientation) -> Double {
        let center = orientation.storedPoint(
            x: (Double(x) + 0.5) / Double(shown.width), y: (Double(y) + 0.5) / Double(shown.height))
        let upright = orientation.swapsAxes ? shown.transposed : shown
        let columns = weights(
            center.x * Double(size.width), max(Double(size.width) / Double(upright.width), 1), size.width)
        let rows = weights(
            center.y * Double(size.height), max(Double(size.height) / Double(upright.height), 1), size.height)
        var sum = 0.0
        for (row, down) in rows {
            for (column, across) in columns { sum += down * across * values[row * size.width + column] }
        }
        return sum
    }

    /// The weights of the samples in an interval around `center`.
    private func weights(_ center: Double, _ width: Double, _ count: Int) -> [(index: Int, weight: Double)] {
        let (low, high) = (center - width / 2, center + width / 2)
        return (Int(low.rounded(.down))...Int(high.rounded(.up))).map { sample in
            let part = min(Double(sample) + 1, high) - max(Double(sample), low)
            return (min(max(sample, 0), count - 1), max(part, 0) / width)
        }
    }
}
