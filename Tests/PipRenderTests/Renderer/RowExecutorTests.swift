import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPixels
import PipPlan
import PipRender
import Testing

@Suite("The CPU draws what OpenGL ES draws")
struct RowExecutorTests {
    /// Sizes with odd sides, a single pixel, and a usual size.
    static let sizes = [PixelSize(1, 1), PixelSize(3, 5), PixelSize(63, 35), PixelSize(128, 72)]

    private func expectSame(
        _ producer: some FrameProducer, _ sources: [TestSource], to format: PixelFormat, size: PixelSize? = nil,
        within: Int = 1, _ comment: String = "", location: SourceLocation = #_sourceLocation
    ) async throws {
        let gpu = try await SharedContext.get()
        let drawn = try await rendered(producer, sources, to: format, size: size, on: gpu)
        let rows = try await rendered(producer, sources, to: format, size: size, on: gpu) { $0.executors = [.cpu] }
        let difference = largestDifference(drawn, rows)
        #expect(difference <= within, "\(comment) \(format)", sourceLocation: location)
    }

    @Test("each format of a source, at each size, into each format of an output", arguments: PixelFormat.allCases)
    func formats(_ format: PixelFormat) async throws {
        for size in Self.sizes {
            let source = TestSource(testPicture(format, size))
            for output in SinkRequest.formats {
                try await expectSame(source, [source], to: output, "\(format) \(size)")
            }
        }
    }

    @Test("sources are enlarged and reduced, by whole and other ratios", arguments: SinkRequest.formats)
    func scaling(_ format: PixelFormat) async throws {
        for input in [PixelFormat.nv12, .yuyv, .rgba, .rgb24, .i420] {
            let source = TestSource(testPicture(input, PixelSize(96, 64)))
            for size in [
                PixelSize(48, 32), PixelSize(24, 16), PixelSize(37, 23), PixelSize(192, 128), PixelSize(131, 77),
            ] {
                try await expectSame(source, [source], to: format, size: size, "\(input) \(size)")
            }
        }
    }

    // The last but one has numbers for which fixed point has the least precision, the last one those beyond it.
    private static let shades: [[any Effect]] = [
        [Sepia()], [Vignette(strength: 0.6)], [Sepia(), Vignette(strength: 1)],
        [Contrast(1.2), Saturation(1.5), Vignette(strength: 0.4), Brightness(0.1), Hue(degrees: 40)],
        [Exposure(0.8), Vignette(strength: 0.8), Contrast(1.4)], [Exposure(4), Vignette(strength: 0.5)],
    ]

    @Test("matrices and vignettes on planes, of sizes with and without a fixed-point loop", arguments: 0..<6)
    func shadedPlanes(_ index: Int) async throws {
        for input in [PixelFormat.nv12, .nv21, .i420, .yv12, .yuyv] {
            for size in [PixelSize(128, 72), PixelSize(66, 34), PixelSize(63, 35), PixelSize(20, 16)] {
                let source = TestSource(testPicture(input, size))
                var picture = AnyProducer(node: source.node)
                for effect in Self.shades[index] { picture = picture.applying(effect) }
                for output in [PixelFormat.nv12, .i420] {
                    try await expectSame(picture, [source], to: output, "\(index) \(input) \(size)")
                }
            }
        }
    }

    @Test("layers have corners, borders, shadows and opacity, at odd positions", arguments: SinkRequest.formats)
    func looks(_ format: PixelFormat) async throws {
        for input in [PixelFormat.nv12, .rgba] {
            let main = TestSource(testPicture(.nv12, PixelSize(96, 64)))
            let inset = TestSource(testPicture(input, PixelSize(64, 48), seed: 3))
            let picture = Compositor(canvas: PixelSize(97, 65)) {
                Layer(main)
                Layer(inset).placed(.topRight, width: 0.3, margin: 5).rounded(6).faded(to: 0.8)
                Layer(inset).placed(.bottomLeft, width: 0.25, margin: 7).bordered(2, .white).shadowed()
            }
            // Shadow and picture are each rounded where they overlap, and software OpenGL ES mixes in integers.
            try await expectSame(picture, [main, inset], to: format, within: 2, "\(input)")
        }
    }

    @Test("bands of rows on several threads equal the picture of one thread", arguments: SinkRequest.formats)
    func bands(_ format: PixelFormat) async throws {
        let gpu = try await SharedContext.get()
        var capabilities = gpu.capabilities.plan
        capabilities.executors = [.cpu]
        let main = TestSource(testPicture(.nv12, PixelSize(131, 99)))
        let inset = TestSource(testPicture(.rgba, PixelSize(64, 48), seed: 3))
        let chains: [[any Effect]] = [
            [], [Vignette(strength: 0.5)], [GaussianBlur(radius: 4)], [Toon()], [Swirl()], [Median()], [Bilateral()],
        ]
        for chain in chains {
            var producer: any FrameProducer = main
            for effect in chain { producer = producer --> effect }
            let picture = Compositor(canvas: PixelSize(97, 71)) {
                Layer(producer)
                Layer(inset).placed(.topRight, width: 0.6, margin: 5).rounded(6).shadowed().faded(to: 0.8)
            }
            // The second size has fewer pairs of rows than threads.
            for size in [PixelSize(97, 71), PixelSize(160, 2)] {
                let plan = try planned(
                    picture, [main, inset], to: SinkRequest(format: format, size: size), capabilities: capabilities)
                let whole = try await drawn(plan, [main, inset], on: gpu)
                let bands = try await drawn(plan, [main, inset], onThreads: true, on: gpu)
                #expect(largestDifference(whole, bands) == 0, "\(chain) \(size)")
            }
        }
    }

    @Test("planes are shaded in place where all bands can be, and bands are alike", arguments: 0..<6)
    func shadedBands(_ index: Int) async throws {
        let gpu = try await SharedContext.get()
        var capabilities = gpu.capabilities.plan
        capabilities.executors = [.cpu]
        for (size, isEven) in [(PixelSize(128, 72), true), (PixelSize(128, 73), false), (PixelSize(127, 72), false)] {
            let main = TestSource(testPicture(.i420, size))
            var picture = AnyProducer(node: main.node)
            for effect in Self.shades[index] { picture = picture.applying(effect) }
            let plan = try planned(picture, [main], to: SinkRequest(format: .nv12), capabilities: capabilities)
            let passes = plan.rowPasses
            #expect(passes.count == 1)
            for pass in passes {
                let program = RowProgram(pass, textures: plan.textures) { _ in false }
                program.prepare(for: nil)
                // The exposure of the last chain needs floats.
                #expect(program.makesPlanes == (isEven && index < 5), "\(size)")
            }
            let whole = try await drawn(plan, [main], on: gpu)
            let bands = try await drawn(plan, [main], onThreads: true, on: gpu)
            #expect(largestDifference(whole, bands) == 0, "\(size)")
        }
    }

    @Test("a source and a layer have every orientation", arguments: Orientation.allCases)
    func orientations(_ orientation: Orientation) async throws {
        for input in [PixelFormat.nv12, .rgba] {
            let main = TestSource(testPicture(.nv12, PixelSize(96, 64)))
            let inset = TestSource(testPicture(input, PixelSize(64, 48), seed: 3), orientation: orientation)
            let picture = Compositor(canvas: PixelSize(96, 64)) {
                Layer(main)
                Layer(inset).placed(.topRight, width: 0.4, margin: 4).oriented(orientation).faded(to: 0.5)
            }
            for format in SinkRequest.formats {
                try await expectSame(picture, [main, inset], to: format, "\(input)")
            }
        }
    }
}
