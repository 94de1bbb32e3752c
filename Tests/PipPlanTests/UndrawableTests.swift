import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("Effects that the CPU cannot draw")
struct UndrawableTests {
    private func plan(
        _ producer: some FrameProducer, _ sources: [TestSource], by executors: Set<Executor>,
        knowing effects: Set<UInt64> = []
    ) throws -> RenderPlan {
        producer --> NamedSink()
        let graph = producer.node.wiring.graph
        let format = SourceFormat(layout: FrameLayout(.nv12, PixelSize(64, 48)), colorimetry: .bt709)
        var capabilities = PlanCapabilities()
        capabilities.executors = executors
        capabilities.rows.effects = effects
        return try Planner.plan(
            PlanInput(
                graph: graph, sources: Dictionary(uniqueKeysWithValues: sources.map { ($0.node.id, format) }),
                sinks: Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, SinkRequest(format: .nv12)) }),
                capabilities: capabilities))
    }

    @Test("effects that the CPU cannot draw are refused by name, and no other effects")
    func names() throws {
        let source = TestSource()
        let chain = source --> Vignette(strength: 0.5) --> Contrast(1.5) --> Sobel()
        #expect(throws: GraphError.undrawable(effects: ["sobel", "vignette"])) {
            try plan(chain, [source], by: [.cpu])
        }
        let other = TestSource()
        #expect(try plan(other --> Contrast(1.5) --> GaussianBlur(radius: 3), [other], by: [.cpu]).executor == .cpu)
    }

    @Test("OpenGL ES draws effects that the CPU cannot, where OpenGL ES is allowed")
    func other() throws {
        let source = TestSource()
        #expect(try plan(source --> Vignette(strength: 0.5), [source], by: [.cpu, .gl]).executor == .gl)
    }

    @Test("blends of nodes and of layers can be undrawable, too")
    func blends() throws {
        let (below, above) = (TestSource(), TestSource())
        #expect(throws: GraphError.undrawable(effects: ["overlay blend"])) {
            try plan(Blend(.overlay, base: below, overlay: above), [below, above], by: [.cpu])
        }
        let (main, inset) = (TestSource(), TestSource())
        let picture = Compositor(canvas: PixelSize(64, 48)) {
            Layer(main)
            Layer(inset).blended(.screen)
        }
        #expect(throws: GraphError.undrawable(effects: ["screen blend"])) {
            try plan(picture, [main, inset], by: [.cpu])
        }
    }

    @Test("undrawable effects that are only partly faded in are named as well")
    func partial() throws {
        let source = TestSource()
        let chain = source --> Vignette(strength: 0.5).active(from: .seconds(0), fade: .seconds(2))
        #expect(throws: GraphError.undrawable(effects: ["vignette"])) { try plan(chain, [source], by: [.cpu]) }
    }

    @Test(
        "the CPU draws an effect with a constant of 32-bit floats, and refuses 16-bit ones", arguments: [true, false])
    func halfFloats(isHalf: Bool) throws {
        let source = TestSource()
        let chain = source --> Tinted(format: isHalf ? .rgba16f : .rgba32f)
        func planned() throws -> RenderPlan {
            try plan(chain, [source], by: [.cpu], knowing: [Tinted.source.identity])
        }
        if isHalf {
            #expect(throws: GraphError.undrawable(effects: ["tinted"])) { try planned() }
        } else {
            #expect(try planned().executor == .cpu)
        }
    }
}

/// An effect that reads a constant texture.
private struct Tinted: Effect {
    static let name = "tinted"
    static let summary = "for tests"
    static let parameters: [EffectParameter<Tinted>] = []
    static let source = ShaderSource(
        "Tinted.frag",
        """
        uniform sampler2D PREFIX(tint);
        vec4 EFFECT(vec4 color, vec2 position) { return texture(PREFIX(tint), position); }
        """)
    var format = TexelFormat.rgba32f

    func operation(in context: EffectContext) -> EffectOperation {
        let bytes = format.bytesPerTexel
        let tint = ConstantTexture(
            label: "tint \(format)", size: PixelSize(1, 1), format: format, bytes: { Array(repeating: 0, count: bytes) }
        )
        return .pixel(ShaderCall(Self.source, textures: [TextureUniform("tint", tint)]))
    }
}
