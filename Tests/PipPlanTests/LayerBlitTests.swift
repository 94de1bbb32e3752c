import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("A main picture that the CPU makes sample by sample")
struct LayerBlitTests {
    /// The conversions that make the main picture's planes; empty if the picture is drawn.
    private func conversions(
        _ main: (TestSource) -> any FrameProducer, _ format: PixelFormat, to output: PixelFormat,
        isSoftware: Bool = true
    ) throws -> [Blit.Conversion] {
        let back = TestSource("back")
        let front = TestSource("front")
        let picture = Compositor {
            Layer(main(back))
            Layer(front).placed(.topRight, width: 0.25, margin: 24)
        }
        var capabilities = PlanCapabilities()
        capabilities.renderer = isSoftware ? .software : .gpu
        let plan = try plan(
            picture, [(back, format, .hd720), (front, .nv12, .hd720)], to: output, capabilities: capabilities)
        if !plan.outputs[0].blits.isEmpty {
            #expect(plan.passes.allSatisfy { $0.pixels <= 320 * 180 })
            #expect(plan.uploads.allSatisfy { $0.source == front.node.id })
        }
        return plan.outputs[0].blits.filter { $0.source != front.node.id }.map(\.conversion)
    }

    @Test(
        "with a software renderer the main picture never enters GL: affine effects change its samples",
        arguments: [PixelFormat.nv12, .i420])
    func affine(format: PixelFormat) throws {
        let found = try conversions({ $0 --> Contrast(1.5) --> Saturation(0.5) }, format, to: format)
        #expect(found.count == format.planeCount)
        for (index, conversion) in found.enumerated() {
            guard case .affine(let scale, _) = conversion.values else {
                Issue.record("\(conversion)")
                continue
            }
            #expect(abs(scale - (index == 0 ? 1.5 : 0.75)) < 1e-6)
        }
    }

    @Test("a hue effect rotates pairs of chroma")
    func hue() throws {
        let found = try conversions({ $0 --> ChromaTurn() }, .nv12, to: .nv12)
        guard case .affinePairs(let matrix, let offset)? = found.last?.values else {
            Issue.record("\(found)")
            return
        }
        // The expected map is a quarter turn of chroma around the neutral point.
        for (value, expected) in zip(matrix + offset, [0, -1, 1, 0, 256.0 / 255, 0]) {
            #expect(abs(value - expected) < 1e-3)
        }
        let planes = try conversions({ $0 --> ChromaTurn() }, .i420, to: .i420).dropFirst().map(\.values)
        #expect(planes.count == 2)
        for (plane, factor) in zip(planes, [-1.0, 1]) {
            guard case .affineOfBoth(let own, let other, _) = plane else {
                Issue.record("\(plane)")
                continue
            }
            #expect(abs(own) < 1e-6 && abs(other - factor) < 1e-6)
        }
    }

    @Test("the main picture is converted from packed 4:2:2", arguments: [PixelFormat.yuyv, .uyvy, .yvyu, .vyuy])
    func packed(format: PixelFormat) throws {
        let places: (luma: Int, cb: Int, cr: Int) =
            switch format {
            case .uyvy: (1, 0, 2)
            case .yvyu: (0, 3, 1)
            case .vyuy: (1, 2, 0)
            default: (0, 1, 3)
            }
        let luma = Blit.Conversion(.everySecond(first: places.luma))
        let pairs = Blit.Conversion(.packedChroma(places: [places.cb, places.cr]))
        #expect(try conversions({ $0 }, format, to: .nv12) == [luma, pairs])
        let planes = [places.cb, places.cr].map { Blit.Conversion(.packedChroma(places: [$0])) }
        #expect(try conversions({ $0 }, format, to: .i420) == [luma] + planes)
    }

    @Test("chroma is interleaved or separated where the output's format differs")
    func arrangements() throws {
        let luma = Blit.Conversion()
        let halves = [0, 1].map { Blit.Conversion(.everySecond(first: $0)) }
        #expect(try conversions({ $0 }, .nv12, to: .i420) == [luma] + halves)
        #expect(try conversions({ $0 }, .nv21, to: .i420) == [luma] + halves.reversed())
        #expect(try conversions({ $0 }, .i420, to: .nv12) == [luma, Blit.Conversion(.bothPlanes())])
    }

    @Test(
        "luma alone is averaged in 64 × 36 areas, whatever the chroma siting",
        arguments: [PixelFormat.nv12, .i420, .nv21, .nv16, .yv12, .yuyv, .gray], [ChromaSiting.left, .center])
    func luma(format: PixelFormat, siting: ChromaSiting) throws {
        let source = TestSource("camera")
        var colorimetry = Colorimetry.bt709
        colorimetry.chromaSiting = siting
        var capabilities = PlanCapabilities()
        capabilities.renderer = .software
        let picture = Compositor(canvas: PixelSize(64, 36)) { Layer(source) }
        let plan = try plan(
            picture, [(source, format, .hd720)], to: .gray, colorimetry: colorimetry, capabilities: capabilities)
        let samples: Blit.Samples = format == .yuyv ? .everySecond(first: 0, mean: 20) : .plane(mean: 20)
        #expect(plan.outputs[0].blits.map(\.conversion) == [Blit.Conversion(samples)])
    }

    @Test("insets that average whole samples are copied, and a grid of pictures needs no drawing")
    func means() throws {
        var capabilities = PlanCapabilities()
        capabilities.renderer = .software
        let sources = (0..<4).map { TestSource("camera \($0)") }
        let inputs = sources.map { ($0, PixelFormat.nv12, PixelSize.hd720) }
        let grid = Compositor(canvas: .hd720, background: .black) {
            for (index, source) in sources.enumerated() {
                Layer(source).placed(x: index % 2 * 640, y: index / 2 * 360, width: 640)
            }
        }
        let plan = try plan(grid, inputs, capabilities: capabilities)
        #expect(plan.passes.isEmpty && plan.uploads.isEmpty && plan.outputs[0].readbacks.isEmpty)
        let blits = plan.outputs[0].blits
        #expect(blits.count == 8)
        #expect(blits.allSatisfy { $0.conversion == Blit.Conversion(.plane(mean: 2)) })
        #expect(blits.last?.region == PixelRect(x: 320, y: 180, width: 320, height: 180))
        #expect(plan.outputs[0].background == [16, 128, 128])
    }

    @Test("rounded layers, and layers that share pixels with them, are left to GL")
    func mixture() throws {
        var capabilities = PlanCapabilities()
        capabilities.renderer = .software
        let sources = (0..<4).map { TestSource("camera \($0)") }
        let inputs = sources.map { ($0, PixelFormat.nv12, PixelSize.hd720) }
        let picture = Compositor {
            Layer(sources[0])
            Layer(sources[1]).placed(x: 0, y: 0, width: 320)
            Layer(sources[2]).placed(x: 640, y: 0, width: 320)
            Layer(sources[3]).placed(x: 600, y: 100, width: 320).rounded(16)
        }
        let plan = try plan(picture, inputs, capabilities: capabilities)
        let copied = Set(plan.outputs[0].blits.map(\.source))
        #expect(copied == Set(sources[0...1].map(\.node.id)))
        // The CPU reads back one rectangle around both insets, aligned to the textures' blocks.
        #expect(plan.outputs[0].readbacks.count == 2)
        #expect(plan.cost.bytesReadBack == 360 * 280 * 3 / 2)
    }

    @Test("a blur's kernel fits the larger samples of chroma, and a wide kernel runs at half the size")
    func blurred() throws {
        let small = try conversions({ $0 --> GaussianBlur(radius: 2) --> Saturation(0.5) }, .nv12, to: .nv12)
        #expect(small.map { $0.kernel?.isHalved } == [false, false])
        #expect(small.map { $0.kernel?.weights.count } == [7, 4])
        guard case .affine = small.last?.values else {
            Issue.record("\(small)")
            return
        }
        let wide = try conversions({ $0 --> GaussianBlur(radius: 4) }, .yuyv, to: .i420)
        #expect(wide.map { $0.kernel?.isHalved } == [true, false, false])
        for kernel in (small + wide).compactMap(\.kernel) {
            #expect(abs(kernel.weights[0] + 2 * kernel.weights.dropFirst().reduce(0, +) - 1) < 1e-6)
        }
    }

    @Test("a main picture of any size is scaled, with a sampling position for each sample")
    func scaled() throws {
        var capabilities = PlanCapabilities()
        capabilities.renderer = .software
        let (back, front) = (TestSource("back"), TestSource("front"))
        let picture = Compositor(canvas: .hd720) {
            Layer(back)
            Layer(front).placed(.topRight, width: 0.3, margin: 24)
        }
        let plan = try plan(
            picture, [(back, .nv12, PixelSize(1920, 1080)), (front, .yuyv, .hd720)], capabilities: capabilities)
        #expect(plan.passes.isEmpty && plan.uploads.isEmpty)
        let main = plan.outputs[0].blits.filter { $0.source == back.node.id }.compactMap(\.conversion.scaling)
        #expect(main.map(\.across) == [.init(first: 0.75, step: 1.5), .init(first: 0.75, step: 1.5)])
        #expect(main.map(\.source) == [PixelSize(1920, 1080), PixelSize(960, 540)])
        let inset = plan.outputs[0].blits.filter { $0.source == front.node.id }.compactMap(\.conversion.scaling)
        // Packed 4:2:2 has a row of chroma for each row of luma.
        #expect(inset.map(\.source) == [.hd720, PixelSize(640, 720)])
        #expect(abs(inset[1].down.step - 2 * inset[0].down.step) < 1e-9)
    }

    @Test("the main picture is drawn by a GPU, and for effects that the CPU does not apply to planes")
    func drawn() throws {
        #expect(try conversions({ $0 --> Contrast(1.5) }, .nv12, to: .nv12, isSoftware: false).isEmpty)
        #expect(try conversions({ $0 }, .yuyv, to: .nv12, isSoftware: false).isEmpty)
        #expect(try conversions({ $0 --> Gamma(2) }, .nv12, to: .nv12).isEmpty)
        #expect(try conversions({ $0 --> GaussianBlur(radius: 2) --> Contrast(3) }, .nv12, to: .nv12).isEmpty)
        #expect(try conversions({ $0 --> GaussianBlur(radius: 2) --> Sobel() }, .nv12, to: .nv12).isEmpty)
        #expect(try conversions({ $0 --> TestKernel(weights: [1.2, -0.1]) }, .nv12, to: .nv12).isEmpty)
        #expect(try conversions({ $0 --> TestKernel(weights: [0.5, 0.25]) }, .nv12, to: .nv12).count == 2)
        #expect(try conversions({ $0 --> TestKernel(weights: [0.25, 0.25]) }, .nv12, to: .nv12).isEmpty)
        #expect(try conversions({ $0 --> Mirror() }, .nv12, to: .nv12).isEmpty)
        #expect(try conversions({ $0 --> Contrast(1.5) --> Gamma(2) }, .yuyv, to: .nv12).isEmpty)
    }
}

/// A kernel with any weights, the centre's first.
private struct TestKernel: Effect {
    static let name = "test-kernel"
    static let summary = ""
    static var parameters: [EffectParameter<TestKernel>] { [] }

    var weights = [1.0]

    func operation(in context: EffectContext) -> EffectOperation { .separable(weights) }
}

/// Rotates chroma by a quarter turn: Cb becomes -Cr, Cr becomes Cb, and luma stays.
private struct ChromaTurn: Effect {
    static let name = "chroma-turn"
    static let summary = ""
    static var parameters: [EffectParameter<ChromaTurn>] { [] }

    func operation(in context: EffectContext) -> EffectOperation {
        let turn = ColorTransform(
            rows: [[1, 0, 0], [0, 0, -1], [0, 1, 0]], offset: [0, 256.0 / 255, 0])
        let colorimetry = Colorimetry.bt709
        return .affine(colorimetry.yCbCrFromRGB.inverseFirst(colorimetry.rgbFromYCbCr, turn))
    }
}

extension ColorTransform {
    /// The transform of R'G'B' that applies `map` in Y'CbCr; `self` converts R'G'B' to Y'CbCr.
    fileprivate func inverseFirst(_ toRGB: ColorTransform, _ map: ColorTransform) -> ColorTransform {
        then(map).then(toRGB)
    }
}
