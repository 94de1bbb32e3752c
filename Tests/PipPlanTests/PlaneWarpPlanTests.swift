import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("Plans of effects that only displace pixels")
struct PlaneWarpPlanTests {
    /// The CPU's passes for a main picture of the canvas's size, and an inset, which is scaled.
    private func passes(
        _ chain: (TestSource) -> any FrameProducer, from format: PixelFormat = .nv12, to output: PixelFormat = .nv12
    ) throws -> [RowPass] {
        let (main, inset) = (TestSource("main"), TestSource("inset"))
        let picture = Compositor(canvas: .hd720) {
            Layer(chain(main))
            Layer(chain(inset)).placed(.topRight, width: 0.25, margin: 24)
        }
        var capabilities = PlanCapabilities()
        capabilities.executors = [.cpu]
        let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
        for operation in [Swirl().operation(in: context), Bulge().operation(in: context)] {
            if case .warp(let call) = operation { capabilities.rows.effects.insert(call.source.identity) }
        }
        let sources = [(main, format, PixelSize.hd720), (inset, format, PixelSize.hd720)]
        let plan = try plan(picture, sources, to: output, capabilities: capabilities)
        return plan.rowPasses
    }

    private func formats(_ passes: [RowPass]) -> [PixelFormat] { passes.map(\.contents.canvas.format) }

    @Test(
        "a warp reads the planes of a frame in place, and planes of the inset's size",
        arguments: [PixelFormat.nv12, .i420])
    func alone(_ output: PixelFormat) throws {
        let passes = try passes({ $0 --> Swirl() }, to: output)
        #expect(formats(passes) == [.nv12, output, output])
        #expect(passes[0].pixels == 320 * 180)
        #expect(passes.allSatisfy { $0.contents.usesChromaGrid && $0.contents.segment.image.format == .nv12 })
    }

    @Test("each warp of a chain reads planes")
    func several() throws {
        let passes = try passes { $0 --> Swirl() --> Bulge() }
        #expect(formats(passes) == Array(repeating: .nv12, count: 5))
    }

    @Test("other effects, R'G'B' outputs and R'G'B' frames need R'G'B'")
    func withColours() throws {
        #expect(formats(try passes { $0 --> Swirl() --> Brightness(0.1) }).contains(.rgba))
        #expect(formats(try passes { $0 --> Mirror() --> Swirl() }).contains(.rgba))
        #expect(Set(formats(try passes({ $0 --> Swirl() }, to: .rgba))) == [.rgba])
        #expect(formats(try passes({ $0 --> Swirl() }, from: .rgba)).contains(.rgba))
    }

    @Test("frames of packed Y'CbCr are converted to planes first")
    func packed() throws {
        let passes = try passes({ $0 --> Swirl() }, from: .yuyv)
        #expect(formats(passes) == Array(repeating: .nv12, count: 4))
    }
}
