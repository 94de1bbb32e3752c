import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Layers resampled with the Lanczos kernel", .serialized)
struct LanczosTests {
    typealias Pixel = PixelGrid.Pixel

    /// The picture resampled along one axis with three lobes, and limited to the range of samples in the middle lobe.
    private func resampled(_ grid: PixelGrid, to count: Int, isVertical: Bool) -> PixelGrid {
        let own = isVertical ? grid.size.height : grid.size.width
        if own == count { return grid }
        let samples = Double(own) / Double(count)
        let width = max(samples, 1)
        func weight(_ x: Double) -> Double {
            if x == 0 { return 1 }
            return abs(x) >= 3 ? 0 : sin(Double.pi * x) / (Double.pi * x) * sin(Double.pi * x / 3) / (Double.pi * x / 3)
        }
        let size = isVertical ? PixelSize(grid.size.width, count) : PixelSize(count, grid.size.height)
        return PixelGrid(size) { x, y in
            let middle = (Double(isVertical ? y : x) + 0.5) * samples - 0.5
            var (sum, total) = (Pixel(), 0.0)
            var (low, high) = (Pixel(1, 1, 1, 1), Pixel())
            for at in Int((middle - 3 * width).rounded(.down))...Int((middle + 3 * width).rounded(.up)) {
                let pixel = isVertical ? grid.at(x, at) : grid.at(at, y)
                let away = (Double(at) - middle) / width
                sum += pixel * weight(away)
                total += weight(away)
                if abs(away) < 1 {
                    low = pointwiseMin(low, pixel)
                    high = pointwiseMax(high, pixel)
                }
            }
            return pointwiseMin(pointwiseMax(sum / total, low), high)
        }.rounded
    }

    private func drawn(_ source: TestSource, _ size: PixelSize, _ target: PixelFormat = .rgba) async throws -> Frame {
        let picture = Compositor(canvas: size) { Layer(source).fitted(.stretch).sampled(.lanczos) }
        return try await rendered(picture, [source], to: target, on: try await SharedContext.get())
    }

    @Test(
        "a layer equals the kernel's exact result, enlarged and reduced",
        arguments: [PixelSize(37, 23), PixelSize(3, 5), PixelSize(1, 1)],
        [PixelSize(64, 48), PixelSize(11, 7), PixelSize(37, 9), PixelSize(1, 1)])
    func isRight(own: PixelSize, size: PixelSize) async throws {
        let source = TestSource(ConversionTests.bars(.rgbx, own, stride: own.width * 4 + 20))
        let across = resampled(PixelGrid(source.frame), to: size.width, isVertical: false)
        let wanted = resampled(across, to: size.height, isVertical: true)
        expect(try await drawn(source, size), wanted, within: 1.01, strays: 0.5, "\(own) at \(size)")
    }

    @Test("an edge does not ring, and flat areas stay unchanged")
    func doesNotRing() async throws {
        let source = TestSource(makeFrame(.rgbx, PixelSize(64, 8)) { _, column, _ in column / 4 < 32 ? 40 : 200 })
        let grid = PixelGrid(try await drawn(source, PixelSize(150, 20)))
        #expect(grid.pixels.allSatisfy { $0.x * 255 > 39.4 && $0.x * 255 < 200.6 })
        // The result is sharper than with linear interpolation.
        let steps = (0..<149).map { grid.at($0 + 1, 9).x - grid.at($0, 9).x }
        #expect((steps.max() ?? 0) * 255 > 160 / 2.34)
    }

    @Test("a layer at its own size is drawn as without the kernel, and a reduced camera picture is sharper")
    func ownSize() async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(64, 48)))
        let drawn = try await drawn(source, PixelSize(64, 48), .nv12)
        #expect(largestDifference(drawn, source.frame) == 0)
        let half = try planned(
            Compositor(canvas: PixelSize(32, 24)) { Layer(source).sampled(.lanczos) }, [source],
            to: SinkRequest(format: .nv12), capabilities: PlanCapabilities())
        #expect(half.passes.count >= 3 && half.outputs.allSatisfy(\.blits.isEmpty))
    }

    // Round corners are blended with the pixels below; packed planes are blended with a weight for each component.
    @Test("a layer with round corners is drawn into planes of Y'CbCr, and differs in its corners only")
    func roundCorners() async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(60, 38), seed: 1))
        let gpu = try await SharedContext.get()
        var luma: [[UInt8]] = []
        for radius in [0.0, 12] {
            let picture = Compositor(canvas: PixelSize(64, 48)) {
                Layer(source).fitted(.stretch).rounded(radius).sampled(.lanczos)
            }
            luma.append(bytes(of: try await rendered(picture, [source], to: .nv12, on: gpu), plane: 0))
        }
        #expect(luma[1][0] == 16 && luma[0][0] != 16)
        let middle = 12 * 64..<36 * 64
        #expect(zip(luma[0][middle], luma[1][middle]).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test("a rotated and cropped layer equals its picture after rotation and crop")
    func turned() async throws {
        let size = PixelSize(40, 20)
        let source = TestSource(testPicture(.rgbx, size))
        let crop = PixelRect(x: 8, y: 4, width: 24, height: 12)
        let upright = Compositor(canvas: PixelSize(36, 18)) { Layer(source).cropped(crop).sampled(.lanczos) }
        let turned = Compositor(canvas: PixelSize(18, 36)) {
            Layer(source).cropped(crop).oriented(Orientation(quarterTurns: 1)).sampled(.lanczos)
        }
        let gpu = try await SharedContext.get()
        let flat = PixelGrid(try await rendered(upright, [source], to: .rgba, on: gpu))
        let drawn = try await rendered(turned, [source], to: .rgba, on: gpu)
        let wanted = PixelGrid(PixelSize(18, 36)) { x, y in flat.at(y, 17 - x) }
        expect(drawn, wanted, within: 1.01, "turned")
    }

    @Test("effects get the resampled picture, fused and unfused")
    func effects() async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(60, 38)))
        let picture = Compositor(canvas: PixelSize(40, 30)) {
            Layer(source --> Brightness(0.05) --> Sobel() --> Contrast(0.9)).fitted(.stretch).sampled(.lanczos)
        }
        let gpu = try await SharedContext.get()
        // The edge filter amplifies the rounding of earlier steps.
        let fused = try await rendered(picture, [source], to: .rgba, rowsWithin: 4, on: gpu)
        let unfused = try await rendered(picture, [source], to: .rgba, fuses: false, rowsWithin: 4, on: gpu)
        #expect(largestDifference(fused, unfused) <= 4)
    }
}
