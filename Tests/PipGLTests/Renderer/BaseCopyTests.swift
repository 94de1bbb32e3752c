import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipShaders
import Testing

@Suite("A main picture that the CPU makes", .serialized)
struct BaseCopyTests {
    static let formats: [(PixelFormat, PixelFormat)] = [
        (.nv12, .nv12), (.i420, .i420), (.yuyv, .nv12), (.uyvy, .i420), (.yvyu, .nv12), (.vyuy, .i420),
    ]

    private func difference(
        _ picture: (TestSource) -> Compositor, _ format: PixelFormat, to output: PixelFormat
    ) async throws -> Int {
        var frames: [Frame] = []
        for isSoftware in [true, false] {
            let source = TestSource(testPicture(format, PixelSize(64, 32), seed: 3))
            frames.append(
                try await rendered(picture(source), [source], to: output, on: try await SharedContext.get()) {
                    $0.isSoftware = isSoftware
                })
        }
        return largestDifference(frames[0], frames[1])
    }

    @Test("is the one that GL draws, within a step", arguments: formats)
    func plain(format: PixelFormat, output: PixelFormat) async throws {
        #expect(try await difference({ source in Compositor { Layer(source) } }, format, to: output) <= 1)
    }

    @Test(
        "with other values is the one that GL draws, within a step", arguments: [PixelFormat.nv12, .i420],
        [-0.4, 0, 0.4] as [Float])
    func affine(format: PixelFormat, amount: Float) async throws {
        let largest = try await difference(
            { source in
                Compositor {
                    Layer(source --> Brightness(amount) --> Contrast(1.5) --> Saturation(1.7))
                    Layer(source).placed(x: 8, y: 8, width: 24).rounded(6).opacity(0.7)
                }
            }, format, to: format)
        #expect(largest <= 1)
    }

    @Test("has its chroma turned as GL turns it, within a step")
    func hue() async throws {
        #expect(
            try await difference({ source in Compositor { Layer(source --> Hue(degrees: 70)) } }, .nv12, to: .nv12) <= 1
        )
    }
}
