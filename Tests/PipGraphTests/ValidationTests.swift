import PipEffects
import PipFrames
import PipGraph
import Testing

@Suite("Validation")
struct ValidationTests {
    let source = TestSource("back")

    private func message(_ producer: some FrameProducer) -> String? {
        producer --> NamedSink(label: "out.y4m")
        do {
            try producer.graph.validate()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("a graph without sinks says how to connect one")
    func noSinks() {
        #expect(throws: GraphError.noSinks) { try source.graph.validate() }
        #expect("\(GraphError.noSinks)".contains("-->"))
    }

    @Test("a filter without an input is named")
    func unconnected() {
        #expect(message(Filter(Gamma(2))) == "gamma has no input: connect one with `source --> gamma`")
    }

    @Test("a cycle is named node by node, in the direction of the frames")
    func cycle() {
        let first = Filter(Gamma(2))
        let second = first --> Contrast(2)
        second --> Mirror() --> first
        let text = message(second)
        let rounds = [
            "gamma --> contrast --> mirror --> gamma", "contrast --> mirror --> gamma --> contrast",
            "mirror --> gamma --> contrast --> mirror",
        ]
        #expect(rounds.contains { text == "the graph has a cycle; remove one connection: \($0)" })
    }

    @Test("a compositor that shows itself is a cycle")
    func selfReference() {
        let picture = Compositor(canvas: .hd720)
        picture.add(Layer(picture --> Gamma(2)))
        #expect(message(picture)?.hasPrefix("the graph has a cycle; remove one connection: ") == true)
    }

    @Test("a compositor needs a size or a layer")
    func emptyCompositor() {
        #expect(message(Compositor()) == "compositor has no canvas size and no layers: set a size or add a layer")
        #expect(message(Compositor(canvas: PixelSize(64, 64))) == nil)
    }

    @Test("a canvas has at least one pixel", arguments: [PixelSize(0, 10), PixelSize(10, 0), PixelSize(-4, 4)])
    func badCanvas(size: PixelSize) {
        #expect(
            message(Compositor(canvas: size) { Layer(source) })?.contains("a size of \(size) cannot be drawn") == true)
    }

    @Test(
        "an effect with a parameter out of its range is refused, however it was made",
        arguments: [5, -2, Float.nan, .infinity])
    func badEffect(value: Float) {
        #expect(message(source --> Brightness(value))?.hasPrefix("brightness: brightness is ") == true)
        #expect(
            message(TestSource() --> GaussianBlur(radius: value == 5 ? 25 : value))?.contains("must be 0 to 24") == true
        )
    }

    static let badLayers: [@Sendable (Layer) -> Layer] = [
        { $0.faded(to: 1.5) }, { $0.faded(to: -0.1) }, { $0.faded(to: .nan) },
        { $0.rounded(-1) }, { $0.rounded(.nan) }, { $0.rounded(.infinity) },
        { $0.bordered(-1, .white) }, { $0.bordered(.nan, .white) }, { $0.bordered(.infinity, .white) },
        { $0.shadowed(blur: -1) }, { $0.shadowed(blur: .infinity) }, { $0.shadowed(blur: .nan) },
        { $0.shadowed(offset: .nan) }, { $0.shadowed(offset: -.infinity) }, { $0.shadowed(opacity: 2) },
        { $0.shadowed(opacity: .nan) },
        { $0.placed(.top, width: 0) }, { $0.placed(.top, width: .nan) }, { $0.placed(.top, width: 17) },
        { $0.placed(.top, width: 0.5, margin: .max) }, { $0.placed(x: .max, y: 0) }, { $0.placed(x: 0, y: .min) },
        { $0.placed(x: 0, y: 0, width: 0) }, { $0.placed(x: 0, y: 0, height: -5) },
        { $0.placed(x: 0, y: 0, width: 1_000_000) },
        { $0.cropped(PixelRect(x: -1, y: 0, width: 10, height: 10)) },
        { $0.cropped(PixelRect(x: 0, y: 0, width: 0, height: 10)) },
        { $0.cropped(PixelRect(x: .max, y: 0, width: .max, height: 10)) },
    ]

    @Test("a layer that cannot be drawn is refused with the reason", arguments: badLayers.indices)
    func badLayer(index: Int) {
        let text = message(Compositor(canvas: .hd720) { Self.badLayers[index](Layer(source)) })
        #expect(text?.hasPrefix("compositor 1280x720: a ") == true, "\(text ?? "nothing was said")")
    }
}
