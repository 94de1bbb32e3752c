import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipShaders
import Testing

@Suite("What the CPU writes of a picture", .serialized)
struct LayerCopyTests {
    static let formats: [(PixelFormat, PixelFormat)] = [
        (.nv12, .nv12), (.i420, .i420), (.yuyv, .nv12), (.uyvy, .i420), (.yvyu, .nv12), (.vyuy, .i420),
        (.nv12, .i420), (.nv21, .i420), (.i420, .nv12),
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

    @Test("has its chroma turned as GL turns it, within a step", arguments: [PixelFormat.nv12, .i420])
    func hue(format: PixelFormat) async throws {
        let largest = try await difference(
            { source in Compositor { Layer(source --> Hue(degrees: 70)) } }, format, to: format)
        #expect(largest <= 1)
    }

    @Test(
        "has insets in means of whole samples as GL draws them, within a step", arguments: [PixelFormat.nv12, .i420],
        [2, 3, 4, 5])
    func insets(format: PixelFormat, mean: Int) async throws {
        let size = PixelSize(mean * 16, mean * 8)
        var frames: [Frame] = []
        for isSoftware in [true, false] {
            let main = TestSource(testPicture(format, PixelSize(64, 32), seed: 3))
            let inset = TestSource(testPicture(format, size, seed: 5))
            let picture = Compositor {
                Layer(main)
                Layer(inset).placed(x: 6, y: 4, width: 16)
                Layer(inset --> Brightness(0.2)).placed(x: 40, y: 20, width: 16)
                Layer(inset).placed(x: 32, y: 2, width: 16).rounded(4)
            }
            frames.append(
                try await rendered(picture, [main, inset], to: format, on: try await SharedContext.get()) {
                    $0.isSoftware = isSoftware
                })
        }
        #expect(largestDifference(frames[0], frames[1]) <= 1)
    }

    @Test(
        "has insets in means of packed samples as GL draws them, within a step", arguments: formats.dropFirst(2), 1...5)
    func packedInsets(formats: (PixelFormat, PixelFormat), mean: Int) async throws {
        let (format, output) = formats
        var frames: [Frame] = []
        for isSoftware in [true, false] {
            let main = TestSource(testPicture(output, PixelSize(64, 32), seed: 3))
            let inset = TestSource(testPicture(format, PixelSize(mean * 20, mean * 12), seed: 5))
            let picture = Compositor {
                Layer(main)
                Layer(inset).placed(x: 6, y: 4, width: 20)
                // A part that does not begin at the corner, with other values.
                Layer(inset --> Brightness(0.2)).placed(x: 40, y: 16, width: 16).cropped(
                    PixelRect(x: mean * 4, y: mean * 2, width: mean * 16, height: mean * 8))
            }
            let gpu = try await SharedContext.get()
            if isSoftware {
                var capabilities = gpu.capabilities.plan
                capabilities.isSoftware = true
                let plan = try planned(
                    picture, [main, inset], to: SinkRequest(format: output), capabilities: capabilities)
                #expect(plan.passes.isEmpty && plan.uploads.isEmpty)
            }
            frames.append(
                try await rendered(picture, [main, inset], to: output, on: gpu) { $0.isSoftware = isSoftware })
        }
        #expect(largestDifference(frames[0], frames[1]) <= 1)
    }

    @Test("has a background where nothing is", arguments: [PixelFormat.nv12, .i420])
    func background(format: PixelFormat) async throws {
        let largest = try await difference(
            { source in
                Compositor(canvas: PixelSize(96, 64), background: Color(red: 0.7, green: 0.2, blue: 0.1)) {
                    Layer(source).placed(x: 8, y: 6, width: 64)
                    Layer(source).placed(x: 40, y: 40, width: 32).opacity(0.5)
                }
            }, format, to: format)
        #expect(largest <= 1)
    }

    @Test("goes on without an inset that has no frame", arguments: [true, false])
    func missingInset(hasMain: Bool) async throws {
        let main = TestSource(testPicture(.nv12, PixelSize(64, 32), seed: 3))
        let inset = TestSource(testPicture(.nv12, PixelSize(64, 32), seed: 5))
        let picture = Compositor(canvas: PixelSize(64, 32)) {
            Layer(main).placed(x: 0, y: 0, width: hasMain ? 64 : 32)
            Layer(inset).placed(x: 32, y: 8, width: 32)
        }
        let gpu = try await SharedContext.get()
        var capabilities = gpu.capabilities.plan
        capabilities.isSoftware = true
        let plan = try planned(
            picture, [main, inset], to: SinkRequest(format: .nv12, size: PixelSize(64, 32)), capabilities: capabilities)
        #expect(plan.passes.isEmpty)
        let frames = try await gpu.perform { gpu in
            let renderer = Renderer()
            let prepared = try renderer.prepare(plan, framesInFlight: 1, on: gpu)
            renderer.use(prepared)
            let sources = prepared.sources.map { $0 == main.node.id ? main.frame : nil }
            _ = try renderer.draw(sources, timestamp: .zero, sequence: 0, on: gpu)
            var frames: [Frame] = []
            try renderer.collect(timeout: .seconds(10), on: gpu) { _, frame in frames.append(frame) }
            return frames
        }
        let frame = try #require(frames.first)
        // Where the inset would be, there is the main picture or the background.
        let shown = bytes(of: frame, plane: 0)[10 * 64 + 40]
        #expect(shown == (hasMain ? bytes(of: main.frame, plane: 0)[10 * 64 + 40] : 16))
    }
}
