import PipFrames
import PipGraph
import PipPlan
import PipShaders
import Testing

@Suite("A main picture that the CPU can make sample by sample")
struct BaseCopyTests {
    /// How the main picture's planes are made; none when it is drawn.
    private func conversions(
        _ main: (TestSource) -> any FrameProducer, _ format: PixelFormat, to output: PixelFormat,
        isSoftware: Bool = true
    ) throws -> [PlaneConversion] {
        let back = TestSource("back")
        let front = TestSource("front")
        let picture = Compositor {
            Layer(main(back))
            Layer(front).placed(.topRight, width: 0.25, margin: 24)
        }
        var capabilities = PlanCapabilities()
        capabilities.isSoftware = isSoftware
        let plan = try plan(
            picture, [(back, format, .hd720), (front, .nv12, .hd720)], to: output, capabilities: capabilities)
        if !plan.outputs[0].copies.isEmpty {
            #expect(plan.passes.allSatisfy { $0.pixels <= 320 * 180 })
            #expect(plan.uploads.allSatisfy { $0.source == front.node.id })
            #expect(plan.outputs[0].copies.map(\.plane) == Array(0..<output.planeCount))
        }
        return plan.outputs[0].copies.map(\.conversion)
    }

    @Test(
        "with a software renderer never enters GL: affine effects change its samples",
        arguments: [PixelFormat.nv12, .i420])
    func affine(format: PixelFormat) throws {
        let found = try conversions({ $0 --> Contrast(1.5) --> Saturation(0.5) }, format, to: format)
        #expect(found.count == format.planeCount)
        for (index, conversion) in found.enumerated() {
            guard case .affine(let scale, _) = conversion else {
                Issue.record("\(conversion)")
                continue
            }
            #expect(abs(scale - (index == 0 ? 1.5 : 0.75)) < 1e-6)
        }
    }

    @Test("has pairs of chroma turned by a hue")
    func hue() throws {
        let found = try conversions({ $0 --> ChromaTurn() }, .nv12, to: .nv12)
        guard case .affinePairs(let matrix, let offset)? = found.last else {
            Issue.record("\(found)")
            return
        }
        // A quarter turn about the neutral point.
        for (value, expected) in zip(matrix + offset, [0, -1, 1, 0, 256.0 / 255, 0]) {
            #expect(abs(value - expected) < 1e-3)
        }
        #expect(try conversions({ $0 --> ChromaTurn() }, .i420, to: .i420).isEmpty)
    }

    @Test("is taken out of packed 4:2:2", arguments: [PixelFormat.yuyv, .uyvy, .yvyu, .vyuy])
    func packed(format: PixelFormat) throws {
        let places: (luma: Int, cb: Int, cr: Int) =
            switch format {
            case .uyvy: (1, 0, 2)
            case .yvyu: (0, 3, 1)
            case .vyuy: (1, 2, 0)
            default: (0, 1, 3)
            }
        #expect(
            try conversions({ $0 }, format, to: .nv12)
                == [.packedLuma(first: places.luma), .packedChroma(places: [places.cb, places.cr])])
        #expect(
            try conversions({ $0 }, format, to: .i420) == [
                .packedLuma(first: places.luma), .packedChroma(places: [places.cb]),
                .packedChroma(places: [places.cr]),
            ])
    }

    @Test("is drawn by a GPU, or where more is done to it than the CPU does")
    func drawn() throws {
        #expect(try conversions({ $0 --> Contrast(1.5) }, .nv12, to: .nv12, isSoftware: false).isEmpty)
        #expect(try conversions({ $0 }, .yuyv, to: .nv12, isSoftware: false).isEmpty)
        #expect(try conversions({ $0 --> Gamma(2) }, .nv12, to: .nv12).isEmpty)
        #expect(try conversions({ $0 --> GaussianBlur(radius: 2) }, .nv12, to: .nv12).isEmpty)
        #expect(try conversions({ $0 --> Mirror() }, .nv12, to: .nv12).isEmpty)
        #expect(try conversions({ $0 --> Contrast(1.5) }, .yuyv, to: .nv12).isEmpty)
    }
}

/// Turns chroma by a quarter: Cb becomes -Cr, Cr becomes Cb; luma stays.
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
    /// A map of Y'CbCr as one of R'G'B'.
    fileprivate func inverseFirst(_ toRGB: ColorTransform, _ map: ColorTransform) -> ColorTransform {
        then(map).then(toRGB)
    }
}
