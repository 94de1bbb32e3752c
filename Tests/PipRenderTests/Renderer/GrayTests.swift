import PipEffects
import PipFrames
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Gray outputs", .serialized)
struct GrayTests {
    @Test(
        "a gray picture is the luma of the same 4:2:0 picture", arguments: 0..<12,
        [PixelSize(96, 64), PixelSize(37, 23)])
    func isLuma(seed: Int, size: PixelSize) async throws {
        var dice = Dice(seed)
        let gpu = try await SharedContext.get()
        let formats: [PixelFormat] = [.nv12, .i420, .yuyv, .bgrx, .nv21, .gray]
        let main = TestSource(testPicture(formats[seed % formats.count], size, seed: seed))
        let inset = TestSource(testPicture(.nv12, PixelSize(80, 48), seed: seed + 1))
        let below = Layer(dice.chain(from: main, length: seed % 3))
        let above = Layer(dice.chain(from: inset, length: 1)).placed(x: 4, y: 2, width: 24, height: 16)
        let picture = Compositor(canvas: size) {
            below
            if seed % 2 == 0 { above.rounded(4).faded(to: 0.7) }
        }
        let whole = try await rendered(picture, [main, inset], to: .i420, colorimetry: .bt709, on: gpu)
        let gray = try await rendered(picture, [main, inset], to: .gray, colorimetry: .bt709, on: gpu)
        #expect(gray.layout.format == .gray && gray.layout.size == size)
        #expect(bytes(of: gray, plane: 0).count == size.area)
        // A layer that is blended is rounded once more where luma and chroma are drawn together.
        #expect(zip(bytes(of: gray, plane: 0), bytes(of: whole, plane: 0)).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test("a plain gray picture is copied from luma, averaged where it is smaller", arguments: [1, 2, 3, 20])
    func copied(mean: Int) async throws {
        let gpu = try await SharedContext.get()
        let small = PixelSize(24, 16)
        let source = TestSource(testPicture(.nv12, PixelSize(small.width * mean, small.height * mean), seed: mean))
        let gray = try await rendered(
            Compositor(canvas: small) { Layer(source).fitted(.stretch) }, [source], to: .gray, on: gpu
        ) { $0.renderer = .software }
        let luma = bytes(of: source.frame, plane: 0)
        for (index, found) in bytes(of: gray, plane: 0).enumerated() {
            let (x, y) = (index % small.width * mean, index / small.width * mean)
            let sum = (y..<y + mean).reduce(0) { sum, row in
                sum + (x..<x + mean).reduce(0) { $0 + Int(luma[row * small.width * mean + $1]) }
            }
            #expect(abs(Double(found) - Double(sum) / Double(mean * mean)) <= 0.51)
        }
    }
}
