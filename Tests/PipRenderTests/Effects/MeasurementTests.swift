import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import PipTestSupport
import Testing

@Suite("Measurements of whole pictures", .serialized)
struct MeasurementTests {
    static let sizes = [PixelSize(1, 1), PixelSize(3, 5), PixelSize(37, 23), PixelSize(1279, 717)]

    /// The values that a measurement gives for a node's output, and the plan.
    private func measured(
        _ measurement: Measurement, _ producer: some FrameProducer, _ source: TestSource
    ) async throws -> (numbers: [Float], plan: RenderPlan) {
        let gpu = try await SharedContext.get()
        var capabilities = gpu.capabilities.plan
        // These traits make the renderer itself count large pictures, too.
        capabilities.renderer = .gpu
        let plan = try planned(producer, [source], to: SinkRequest(measurement), capabilities: capabilities)
        let frame = try await gpu.perform { gpu -> Frame in
            let renderer = SharedContext.renderer(on: gpu, isShared: true)
            renderer.use(try renderer.prepare(plan, framesInFlight: 1, on: gpu))
            _ = try renderer.draw([source.frame], timestamp: .zero, sequence: 0, on: gpu)
            var result: Frame?
            try renderer.collect(timeout: .seconds(10), on: gpu) { _, frame in result = frame }
            guard let result else { throw NoFrame() }
            return result
        }
        return (try #require(FrameTable(frame)).numbers, plan)
    }

    private func picture(_ size: PixelSize) -> TestSource {
        TestSource(ConversionTests.bars(.rgbx, size, stride: size.width * 4 + 52))
    }

    @Test("a histogram counts every pixel once, in each channel", arguments: sizes)
    func histogram(size: PixelSize) async throws {
        let source = picture(size)
        let numbers = try await measured(.histogram, source, source).numbers
        let wanted = TallyEffectCases.counts(
            PixelGrid(source.frame), columns: 0..<size.width, rows: 0..<size.height)
        try #require(numbers.count == 1024)
        for channel in 0..<4 {
            let counts = stride(from: channel, to: 1024, by: 4).map { Int(numbers[$0]) }
            #expect(counts == wanted[channel])
            #expect(counts.reduce(0, +) == size.area)
        }
    }

    @Test("an average is the exact mean of all pixels, with more than eight bits", arguments: sizes)
    func average(size: PixelSize) async throws {
        let source = picture(size)
        let numbers = try await measured(.average, source, source).numbers
        let mean = PixelGrid(source.frame).mean
        try #require(numbers.count == 4)
        for part in 0..<4 { #expect(abs(Double(numbers[part]) - mean[part]) < 1e-4) }
    }

    @Test("a measurement covers the result of effects, at the picture's own size")
    func afterEffects() async throws {
        let source = picture(PixelSize(64, 48))
        let (numbers, plan) = try await measured(.average, source --> Invert(), source)
        let mean = PixelGrid(source.frame).mean
        for part in 0..<3 { #expect(abs(Double(numbers[part]) - (1 - mean[part])) < 1e-3) }
        // The plan reads back only one texel of 16 bytes.
        #expect(plan.cost.bytesReadBack == 16)
        #expect(plan.outputs.count == 1)
    }

    @Test("a Y'CbCr picture is averaged without being drawn at its full size")
    func smallPasses() async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(640, 360)))
        let plan = try await measured(.average, source, source).plan
        #expect(plan.passes.count == 3 || plan.passes.count == 4)
        #expect(plan.cost.pixels < 640 * 360 / 50)
    }

    @Test("a histogram of a composition counts its canvas")
    func composition() async throws {
        let source = TestSource(makeFrame(.rgbx, PixelSize(8, 8)) { _, _, _ in 200 })
        let picture = Compositor(canvas: PixelSize(64, 32), background: .black) {
            Layer(source).placed(x: 0, y: 0, width: 16, height: 32)
        }
        let numbers = try await measured(.histogram, picture, source).numbers
        #expect(numbers[0] == 48 * 32 && numbers[200 * 4] == 16 * 32)
        #expect(numbers[3] == 48 * 32 && numbers[200 * 4 + 3] == 16 * 32)
    }

    @Test("where the CPU draws, large pictures are read back to be counted, and small ones are not")
    func software() throws {
        var capabilities = PlanCapabilities()
        capabilities.renderer = .software
        func output(_ size: PixelSize) throws -> PlannedOutput? {
            let source = picture(size)
            return try planned(source, [source], to: SinkRequest(.histogram), capabilities: capabilities).outputs.first
        }
        let (large, small) = (try output(PixelSize(321, 240)), try output(PixelSize(256, 256)))
        #expect(large?.layout.size == PixelSize(321, 240) && large?.content == .picture)
        #expect(small?.layout.size == PixelSize(1024, 1) && small?.content == .table)
    }

    @Test("a machine without floating-point targets is an error that says so")
    func withoutFloats() throws {
        let source = picture(PixelSize(4, 4))
        var capabilities = PlanCapabilities()
        capabilities.hasFloatTargets = false
        #expect(throws: GraphError.unmeasurable(node: "source")) {
            try planned(source, [source], to: SinkRequest(.histogram), capabilities: capabilities)
        }
    }
}
