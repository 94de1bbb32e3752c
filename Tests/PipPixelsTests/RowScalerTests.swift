import CPixels
import PipFrames
import PipPlan
import Testing

@testable import PipPixels

@Suite("Area filters over planes")
struct RowScalerTests {
    private func scaled(
        _ plane: Plane, to size: PixelSize, _ across: Blit.Scaling.Axis, _ down: Blit.Scaling.Axis,
        _ set: PipInstructionSet = pip_instruction_set()
    ) -> Plane {
        let source = PixelSize(plane.width, plane.height)
        let scaling = Blit.Scaling(across: across, down: down, source: source)
        let functions = unsafe pip_row_functions(set).pointee
        let scaler = RowScaler(scaling, size: size, parts: plane.parts, functions)
        var result = Plane(size.width, size.height, parts: plane.parts) { _, _, _ in 0 }
        unsafe plane.withRows { source in
            unsafe result.withMutableRows { target in unsafe scaler.run(from: source, to: target) }
        }
        return result
    }

    /// The sampling positions that scale a side of `length` samples to `count` samples.
    private static func axis(_ length: Int, to count: Int) -> Blit.Scaling.Axis {
        let step = Double(length) / Double(count)
        return Blit.Scaling.Axis(first: step / 2, step: step)
    }

    /// The weights of a side's samples in one sample of the result.
    ///
    /// All weights add up to 1.
    private static func coverage(
        _ axis: Blit.Scaling.Axis, _ index: Int, of length: Int
    ) -> [(index: Int, share: Double)] {
        let half = max(axis.step, 1) / 2
        let middle = axis.first + Double(index) * axis.step
        let (low, high) = (max(middle - half, 0), min(middle + half, Double(length)))
        return (0..<length).compactMap { sample in
            let covered = min(high, Double(sample + 1)) - max(low, Double(sample))
            return covered > 0 ? (sample, covered / (high - low)) : nil
        }
    }

    private static func reference(
        _ plane: Plane, _ axes: (across: Blit.Scaling.Axis, down: Blit.Scaling.Axis), _ x: Int, _ y: Int, _ part: Int
    ) -> Double {
        let columns = coverage(axes.across, x, of: plane.width)
        return coverage(axes.down, y, of: plane.height).reduce(0) { sum, row in
            sum + row.share * columns.reduce(0) { $0 + $1.share * plane[$1.index, row.index, part] }
        }
    }

    /// The ratios reduce up to seven samples to one, keep the size, or enlarge.
    @Test(
        "scaled planes are within a step of the exact means",
        arguments: [(60, 41), (60, 40), (50, 20), (61, 19), (64, 13), (70, 11), (20, 33), (17, 17)], [1, 2])
    func reference(_ sides: (from: Int, to: Int), parts: Int) {
        let plane = Plane(sides.from, sides.from + 3, parts: parts, seed: sides.to)
        let (across, down) = (Self.axis(plane.width, to: sides.to), Self.axis(plane.height, to: sides.to))
        let result = scaled(plane, to: PixelSize(sides.to, sides.to), across, down)
        let worst = result.difference { Self.reference(plane, (across, down), $0, $1, $2) }
        #expect(worst.steps <= 1, "\(worst.place)")
        #expect(result.isPaddingIntact)
    }

    @Test("all instruction sets give the same bits as scalar code", arguments: [1, 2])
    func instructionSets(parts: Int) {
        let sets = [PipSSE2, PipAVX2, PipAVX512, PipNEON].filter { pip_can_run($0) != 0 }
        for (from, to) in [(150, 50), (150, 51), (61, 19), (120, 20), (90, 89), (70, 101), (9, 3)] {
            let plane = Plane(from, 40, parts: parts, seed: to)
            let axes = (Self.axis(from, to: to), Self.axis(40, to: 13))
            let expected = scaled(plane, to: PixelSize(to, 13), axes.0, axes.1, PipScalar)
            for set in sets {
                let found = scaled(plane, to: PixelSize(to, 13), axes.0, axes.1, set)
                #expect(found.difference { expected[$0, $1, $2] }.steps == 0, "\(set): \(from) to \(to)")
            }
        }
    }

    @Test("scaling reads only the requested part", arguments: [1, 2])
    func part(parts: Int) {
        let plane = Plane(80, 60, parts: parts)
        let (across, down) = (Blit.Scaling.Axis(first: 21.25, step: 2.5), Blit.Scaling.Axis(first: 10.7, step: 1.4))
        let result = scaled(plane, to: PixelSize(20, 30), across, down)
        let worst = result.difference { Self.reference(plane, (across, down), $0, $1, $2) }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("scaling leaves one colour unchanged", arguments: [0, 1, 16, 128, 235, 254, 255] as [UInt8])
    func oneColour(sample: UInt8) {
        for count in [7, 13, 20, 29, 31, 45] {
            let plane = Plane(31, 31) { _, _, _ in sample }
            let result = scaled(plane, to: PixelSize(count, count), Self.axis(31, to: count), Self.axis(31, to: count))
            #expect(result.difference { _, _, _ in Double(sample) }.steps == 0, "\(count)")
        }
    }
}
