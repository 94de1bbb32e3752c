import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

extension PixelGrid {
    static func exponential(_ x: Double) -> Double { exp(x) }
}

/// An effect and its expected result as a function of the picture.
struct EffectCase: Sendable, CustomTestStringConvertible {
    let effect: any Effect
    /// The tolerance in steps of 8 bits.
    var tolerance = 1.01
    /// The percentage of pixels that may be wrong, for effects where rounding decides at thresholds or edges.
    var strays = 0.0
    let reference: @Sendable (PixelGrid) -> PixelGrid

    init(
        _ effect: any Effect, within tolerance: Double = 1.01, strays: Double = 0,
        _ reference: @escaping @Sendable (PixelGrid) -> PixelGrid
    ) {
        self.effect = effect
        self.tolerance = tolerance
        self.strays = strays
        self.reference = reference
    }

    var testDescription: String { effect.label }

    static let sizes = [PixelSize(37, 23), PixelSize(3, 5), PixelSize(1, 1)]
}

/// Compares an effect's drawing with its reference, for odd sizes and from padded rows.
func check(_ test: EffectCase, sizes: [PixelSize] = EffectCase.sizes, every step: Int = 1) async throws {
    let gpu = try await SharedContext.get()
    for size in sizes {
        let source = TestSource(ConversionTests.bars(.rgbx, size, stride: size.width * 4 + 52))
        let producer = AnyProducer(node: source.node).applying(test.effect)
        // If rounding decides at a threshold, each executor is compared only with the reference, not with the other
        // executor.
        let frame = try await rendered(
            producer, [source], to: .rgba, rowsWithin: test.strays > 0 ? nil : 1, on: gpu)
        var grid = PixelGrid(source.frame)
        grid.step = step
        let expected = test.reference(grid)
        expect(
            frame, expected, within: test.tolerance + hardwareSlack(gpu), strays: test.strays,
            "\(test.effect.label) at \(size)")
        // The CPU cannot draw a test's own GLSL.
        let rows: Frame
        do {
            rows = try await rendered(producer, [source], to: .rgba, on: gpu) { $0.executors = [.cpu] }
        } catch GraphError.undrawable {
            continue
        }
        expect(
            rows, expected, within: test.tolerance, strays: test.strays,
            "\(test.effect.label) by the CPU at \(size)")
    }
}

/// Expects a drawn RGBA frame to equal a picture, except for `strays` percent of the pixels.
func expect(_ frame: Frame, _ expected: PixelGrid, within tolerance: Double, strays: Double = 0, _ label: String) {
    let drawn = PixelGrid(frame)
    var off = 0
    var worst = (steps: 0.0, place: "")
    for y in 0..<drawn.size.height {
        for x in 0..<drawn.size.width where (y * drawn.size.width + x) % expected.step == 0 {
            let wanted = expected.at(x, y).clamped(lowerBound: SIMD4(), upperBound: SIMD4(1, 1, 1, 1)) * 255
            let away = drawn.at(x, y) * 255 - wanted
            let steps = (0..<4).map { abs(away[$0]) }.max() ?? 0
            if steps > tolerance || steps.isNaN { off += 1 }
            if steps > worst.steps || steps.isNaN {
                worst = (steps, "(\(x), \(y)): \(drawn.at(x, y) * 255), not \(wanted)")
            }
        }
    }
    let share = Double(off) / Double(drawn.size.area) * 100
    #expect(share <= strays, "\(label): \(share) % off, worst by \(worst.steps) at \(worst.place)")
}

/// The largest difference between an effect drawn fused and unfused, together with other effects on a Y'CbCr picture.
func fusionDifference(
    _ effect: any Effect, format: PixelFormat = .nv12, to target: PixelFormat = .rgba
) async throws -> Int {
    let gpu = try await SharedContext.get()
    let source = TestSource(testPicture(format, PixelSize(60, 38), seed: 4))
    let chain = AnyProducer(node: source.node).applying(Brightness(0.05)).applying(effect).applying(Contrast(0.9))
    let fused = try await rendered(chain, [source], to: target, on: gpu)
    let unfused = try await rendered(chain, [source], to: target, fuses: false, on: gpu)
    return largestDifference(fused, unfused)
}
