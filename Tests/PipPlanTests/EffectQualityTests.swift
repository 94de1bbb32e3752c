import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("Effects at lower quality")
struct EffectQualityTests {
    /// The plan of a layer with a chain of effects, at a quality.
    private func passes(at quality: EffectQuality, _ chain: (TestSource) -> some FrameProducer) throws -> RenderPlan {
        let back = TestSource("back")
        let picture = Compositor(canvas: .hd720) { Layer(chain(back)) }
        return try plan(picture, [(back, .nv12, .hd720)], effectQuality: quality)
    }

    @Test("large blurs are drawn with a quarter of the pixels or less, and small blurs with all")
    func largeBlurs() throws {
        let large = { (back: TestSource) in back --> Vignette(strength: 0.5) --> GaussianBlur(radius: 4) }
        let full = try passes(at: .full, large)
        let reduced = try passes(at: .reduced, large)
        #expect(full.passes.map(\.pixels) == Array(repeating: 1280 * 720, count: 3))
        // The passes draw the picture, scale it to a quarter of the pixels, blur it across and down, and draw all
        // planes.
        #expect(
            reduced.passes.map(\.pixels) == [1280 * 720] + Array(repeating: 640 * 360, count: 3) + [1280 * 720])
        let small = try passes(at: .reduced) { $0 --> Vignette(strength: 0.5) --> GaussianBlur(radius: 1) }
        #expect(small.passes.map(\.pixels) == full.passes.map(\.pixels))
    }

    @Test("boxes are blurred at half the size, and inside of other effects, too")
    func blursWithin() throws {
        let box = { (back: TestSource) in back --> Gamma(2) --> BoxBlur(radius: 9) }
        #expect(try passes(at: .reduced, box).cost.pixels < passes(at: .full, box).cost.pixels)
        #expect(try passes(at: .reduced) { $0 --> Glow() }.passes.contains { $0.pixels == 320 * 180 })
    }

    @Test("at the next lower quality only per-pixel effects remain, in one pass")
    func cheap() throws {
        let chain = { (back: TestSource) in
            back --> Gamma(2) --> Sobel() --> GaussianBlur(radius: 1) --> BoxBlur(radius: 3) --> Median()
                --> LowPass(0.5) --> Glow() --> Swirl() --> Vignette(strength: 0.5)
        }
        #expect(try passes(at: .reduced, chain).passes.count > 10)
        let cheap = try passes(at: .cheap, chain)
        #expect(cheap.passes.count == 1)
        #expect(cheap.passes[0].label == "back: gamma, vignette")
    }

    @Test("at the lowest quality the picture is copied, unless an effect is essential or structural")
    func none() throws {
        let copied = try passes(at: .none) { $0 --> Gamma(2) --> Vignette(strength: 0.5) --> Brightness(0.1) }
        #expect(copied.passes.isEmpty)
        #expect(copied.outputs[0].blits.count == 2)

        var half = Crop()
        half.width = 0.5
        let kept = try passes(at: .none) {
            $0 --> Gamma(2) --> Pixellate(size: 0.05).essential() --> Mirror() --> half --> ChromaKey()
                --> Transform(angle: 10) --> Sobel()
        }
        let labels = kept.passes.map(\.label).joined(separator: "; ")
        for name in ["pixellate", "chroma-key", "transform"] { #expect(labels.contains(name)) }
        for name in ["gamma", "sobel"] { #expect(!labels.contains(name)) }
    }

    @Test("a branch of a chain loses the chain's effects, too, and blends stay")
    func branches() throws {
        let back = TestSource("back")
        let gray = back --> Sobel()
        let picture = Blend(.screen, base: gray, overlay: gray --> Gamma(2))
        picture --> NamedSink()
        let reduced = picture.node.wiring.graph.reduced(to: .none)
        try reduced.validate()
        #expect(reduced.inputs(of: picture.node.id) == [back.node.id, back.node.id])
        #expect(reduced.order.count == 3)
    }

    @Test("an effect stays essential when its parameters change, until it is marked otherwise")
    func essential() throws {
        let filter = (TestSource() --> Gamma(2)).essential()
        try filter.update { $0.gamma = 3 }
        #expect(filter.isEssential)
        filter.essential(false)
        #expect(!filter.isEssential)
        #expect(filter.effect.gamma == 3)
    }
}
