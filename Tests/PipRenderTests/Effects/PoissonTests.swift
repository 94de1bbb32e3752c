import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Poisson blending", .serialized)
struct PoissonTests {
    typealias Pixel = PixelGrid.Pixel

    /// Computes some Jacobi iterations; `share` is the weight of the overlay at a pixel.
    private func reference(
        _ base: PixelGrid, _ over: PixelGrid, iterations: Int, share: (Int, Int) -> Double
    ) -> PixelGrid {
        func mean(_ grid: PixelGrid, _ x: Int, _ y: Int) -> Pixel {
            (grid.at(x - 1, y) + grid.at(x + 1, y) + grid.at(x, y - 1) + grid.at(x, y + 1)) / 4
        }
        var result = base
        for _ in 0..<iterations {
            let last = result
            result = PixelGrid(base.size) { x, y in
                let wanted = mean(last, x, y) + over.at(x, y) - mean(over, x, y)
                let mixed = last.at(x, y) * (1 - share(x, y)) + wanted * share(x, y)
                return Pixel(mixed.x, mixed.y, mixed.z, 1)
            }
        }
        return result
    }

    private func mode(_ mix: Float, _ iterations: Int) -> BlendMode {
        var mode = BlendMode(.poisson)
        (mode.mix, mode.iterations) = (mix, iterations)
        return mode
    }

    private func drawn(
        _ picture: some FrameProducer, _ sources: [TestSource], fuses: Bool = true
    ) async throws -> Frame {
        try await rendered(picture, sources, to: .rgba, fuses: fuses, on: try await SharedContext.get())
    }

    static let sizes = [PixelSize(1, 1), PixelSize(3, 5), PixelSize(37, 23)]

    @Test(
        "each iteration adds the overlay's detail to the mean of the neighbours", arguments: sizes, [1, 10])
    func steps(size: PixelSize, iterations: Int) async throws {
        let (base, over) = (
            TestSource(testPicture(.rgbx, size)), TestSource(testPicture(.rgbx, size, seed: 3))
        )
        let blend = Blend(mode(0.7, iterations), base: base, overlay: over)
        let wanted = reference(PixelGrid(base.frame), PixelGrid(over.frame), iterations: iterations) { _, _ in 0.7 }
        expect(try await drawn(blend, [base, over]), wanted, within: 1.5, "\(iterations) steps")
        expect(try await drawn(blend, [base, over], fuses: false), wanted, within: 1.5, "unfused")
    }

    @Test("a mask selects where the overlay counts")
    func masked() async throws {
        let size = PixelSize(37, 23)
        let (base, over) = (TestSource(testPicture(.rgbx, size)), TestSource(testPicture(.rgbx, size, seed: 3)))
        let mask = TestSource(makeFrame(.rgbx, size) { _, column, _ in column / 4 < 20 ? 255 : 0 })
        let blend = Blend(mode(1, 10), base: base, overlay: over, mask: mask)
        let wanted = reference(PixelGrid(base.frame), PixelGrid(over.frame), iterations: 10) { x, _ in x < 20 ? 1 : 0 }
        expect(try await drawn(blend, [base, over, mask]), wanted, within: 1.5, "masked")
    }

    @Test("a layer blends gradients within its rectangle")
    func layer() async throws {
        let (below, above) = (
            TestSource(testPicture(.rgbx, PixelSize(37, 23))),
            TestSource(testPicture(.rgbx, PixelSize(20, 11), seed: 2))
        )
        let picture = Compositor {
            Layer(below)
            Layer(above).placed(x: 5, y: 3, width: 20, height: 11).blended(mode(1, 6))
        }
        let (lower, upper) = (PixelGrid(below.frame), PixelGrid(above.frame))
        let part = PixelGrid(PixelSize(20, 11)) { x, y in lower.at(x + 5, y + 3) }
        let blended = reference(part, upper, iterations: 6) { _, _ in 1 }
        let wanted = PixelGrid(lower.size) { x, y in
            (5..<25).contains(x) && (3..<14).contains(y) ? blended.at(x - 5, y - 3) : lower.at(x, y)
        }
        expect(try await drawn(picture, [below, above]), wanted, within: 1.5, "a layer")
    }

    @Test("a blend has a pass for each iteration and one for the overlay's detail, and none with amount 0")
    func passes() async throws {
        let size = PixelSize(64, 32)
        let (base, over) = (TestSource(testPicture(.rgbx, size)), TestSource(testPicture(.rgbx, size, seed: 3)))
        func count(_ mode: BlendMode) throws -> Int {
            try planned(
                Blend(mode, base: base, overlay: over) --> Contrast(1.2), [base, over],
                to: SinkRequest(format: .rgba), capabilities: PlanCapabilities()
            ).passes.count
        }
        // Two further passes draw the base and the overlay first.
        #expect(try count(mode(1, 10)) == 10 + 1 + 2)
        #expect(try count(mode(0, 10)) == 1)
    }
}
