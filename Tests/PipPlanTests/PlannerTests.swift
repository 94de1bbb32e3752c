import PipEffects
import PipFrames
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("The planner")
struct PlannerTests {
    let back = TestSource("back")
    let front = TestSource("front")
    var both: [(TestSource, PixelFormat, PixelSize)] { [(back, .nv12, .hd720), (front, .nv12, .hd720)] }

    @Test("plain picture-in-picture draws the inset's rectangle only, and copies the main picture")
    func plainPictureInPicture() throws {
        let picture = Compositor {
            Layer(back)
            Layer(front).placed(.topRight, width: 0.25, margin: 24)
        }
        let plan = try plan(picture, both)
        #expect(plan.passes.map(\.pixels) == [320 * 180, 320 * 180])
        #expect(plan.outputs[0].blits.map(\.byteCount) == [1280 * 720, 1280 * 360])
        #expect(plan.uploads.allSatisfy { $0.source == front.node.id })
        #expect(plan.cost.bytesReadBack == 320 * 180 * 3 / 2)
        #expect(plan.passes.allSatisfy { $0.blending == .none })
    }

    @Test("four affine effects on the main picture cost one pass for each plane", arguments: [PixelFormat.nv12, .i420])
    func affineEffectsFold(format: PixelFormat) throws {
        let picture = Compositor {
            Layer(back --> Brightness(0.1) --> Contrast(1.2) --> Saturation(0.7) --> Brightness(-0.05))
        }
        let plan = try plan(picture, [(back, format, .hd720)], to: format)
        #expect(plan.passes.count == format.planeCount)
        #expect(plan.textures.allSatisfy { $0.format == .rgba8 && $0.size.width <= 320 })
    }

    @Test("effects with identity parameters cost nothing")
    func identityCostsNothing() throws {
        let picture = Compositor { Layer(back --> Brightness(0) --> Gamma(1) --> Vignette(strength: 0)) }
        let plan = try plan(picture, [(back, .nv12, .hd720)])
        #expect(plan.passes.isEmpty)
        #expect(plan.outputs[0].blits.count == 2)
    }

    @Test("pixel effects share the pass that converts and draws")
    func pixelEffectsFuse() throws {
        let picture = Compositor {
            Layer(back --> Gamma(2) --> Vignette(strength: 0.5) --> Saturation(0.5) --> Gamma(0.5))
        }
        let plan = try plan(picture, [(back, .nv12, .hd720)])
        // Luma and chroma are drawn at once, so each pixel is shaded once.
        #expect(plan.passes.count == 1)
        #expect(plan.passes[0].targets.count == 3)
        #expect(plan.cost.pixels == 1280 * 720)
    }

    @Test("an inset's effects run at the inset's size")
    func insetRunsSmall() throws {
        let picture = Compositor {
            Layer(back)
            Layer(front --> Sobel() --> GaussianBlur(radius: 8)).placed(.topRight, width: 0.25, margin: 24)
        }
        let plan = try plan(picture, both)
        #expect(plan.passes.allSatisfy { $0.pixels <= 320 * 180 })
        // The passes are the picture, the edges, the blur across, and the blur down into all planes.
        #expect(plan.passes.count == 4)
    }

    @Test("a blur is drawn on 8-bit planes only where nothing makes their rounding visible")
    func roundingOfBlurs() throws {
        func formats(_ chain: (TestSource) -> some FrameProducer) throws -> Set<TexelFormat> {
            let source = TestSource()
            let plan = try plan(Compositor(canvas: .hd720) { Layer(chain(source)) }, [(source, .nv12, .hd720)])
            let filters = plan.passes.filter { $0.label.contains("across") }
            return Set(filters.flatMap(\.targets).map { plan.textures[$0].format })
        }
        #expect(try formats { $0 --> GaussianBlur(radius: 1.5) } == [.rgba8])
        #expect(try formats { $0 --> Contrast(1.5) --> GaussianBlur(radius: 1.5) } == [.rgba16f])
        #expect(try formats { $0 --> GaussianBlur(radius: 1.5) --> Gamma(1.4) } == [.rgba16f])
        // An effect that needs R'G'B' makes one picture for all planes.
        #expect(try formats { $0 --> GaussianBlur(radius: 1.5) --> Sobel() } == [.rgba8])
    }

    @Test("a muted filter leaves no pass, and keeps its position in the chain")
    func mutedFiltersCostNothing() throws {
        let sharpen = back --> Sharpen(0.5)
        let picture = Compositor { Layer(sharpen --> Gamma(2)) }
        sharpen.isMuted = true
        let muted = try plan(picture, [(back, .nv12, .hd720)])
        #expect(muted.passes.map(\.label) == ["back: gamma"])
        sharpen.isMuted = false
        let heard = try Planner.plan(
            PlanInput(
                graph: picture.node.wiring.graph,
                sources: [back.node.id: SourceFormat(layout: FrameLayout(.nv12, .hd720), colorimetry: .bt709)],
                sinks: Dictionary(
                    uniqueKeysWithValues: picture.node.wiring.graph.sinks.map { ($0, SinkRequest(format: .nv12)) })))
        #expect(heard.passes.map(\.label) == ["picture of back", "back: sharpen, gamma"])
    }

    @Test("a plan's text counts a single pass in the singular")
    func singlePass() throws {
        let picture = Compositor { Layer(back --> Gamma(2)) }
        let plan = try plan(picture, [(back, .nv12, .hd720)])
        let text = plan.description(of: picture.node.wiring.graph)
        #expect(text.contains("a frame: 1 pass, "))
        #expect(text.contains("0 passes of 0 pixels by the CPU"))
    }

    @Test("sources that an opaque layer hides are neither uploaded nor drawn")
    func hiddenLayersVanish() throws {
        let picture = Compositor(canvas: .hd720) {
            Layer(back --> Vignette(strength: 1))
            Layer(front --> Gamma(2))
        }
        let plan = try plan(picture, both)
        #expect(plan.uploads.allSatisfy { $0.source == front.node.id })
        #expect(plan.passes.count == 1)
    }

    @Test("a pass below an opaque inset leaves the inset's rectangle out")
    func occludedPartIsLeftOut() throws {
        let picture = Compositor(canvas: .hd720) {
            Layer(back --> Vignette(strength: 1))
            Layer(front).placed(.topRight, width: 0.25, margin: 24)
        }
        let plan = try plan(picture, both)
        let main = try #require(plan.passes.first)
        #expect(main.pixels == 1280 * 720 - 320 * 180)
        #expect(main.regions.count == 4)
    }

    @Test("an inset with rounded corners is blended over the uploaded part of the main picture")
    func roundedInset() throws {
        let picture = Compositor {
            Layer(back)
            Layer(front).placed(.topRight, width: 0.25, margin: 24).rounded(16)
        }
        let plan = try plan(picture, both)
        #expect(plan.passes.allSatisfy { $0.blending == .weighted })
        let background = plan.uploads.filter { $0.source == back.node.id }
        #expect(background.map(\.byteCount) == [320 * 180, 320 * 90])
        #expect(background.map(\.region.x) == [936 / 4, 936 / 4])
    }

    @Test("without per-sample blending, blended canvases have a texel for each sample")
    func unpackedFallback() throws {
        var capabilities = PlanCapabilities()
        capabilities.hasDualSourceBlending = false
        let picture = Compositor {
            Layer(back)
            Layer(front).placed(.topRight, width: 0.25, margin: 24).faded(to: 0.5)
        }
        let plan = try plan(picture, both, capabilities: capabilities)
        #expect(plan.passes.allSatisfy { $0.blending == .premultiplied })
        #expect(plan.passes.map { plan.textures[$0.targets[0]].format } == [.r8, .rg8])
    }

    @Test("without fusing, each node has its own pass")
    func unfused() throws {
        let picture = Compositor { Layer(back --> Brightness(0.1) --> Contrast(1.2) --> Gamma(2)) }
        let plan = try plan(picture, [(back, .nv12, .hd720)], fuses: false)
        // The passes are the conversion, three effects, the layer, and the output's planes at once.
        #expect(plan.passes.count == 6)
    }

    @Test("a source that feeds two layers is uploaded once")
    func sharedUpload() throws {
        let picture = Compositor(canvas: .hd720) {
            Layer(back --> Gamma(2))
            Layer(back).placed(.topRight, width: 0.25, margin: 24)
        }
        let plan = try plan(picture, [(back, .nv12, .hd720)])
        #expect(plan.uploads.count == 2)
    }

    @Test("a layer whose source has no frames is left out")
    func absentSource() throws {
        let picture = Compositor {
            Layer(back)
            Layer(front).placed(.topRight, width: 0.25, margin: 24)
        }
        let plan = try plan(picture, [(back, .nv12, .hd720)])
        #expect(plan.passes.isEmpty)
        #expect(plan.outputs[0].blits.count == 2)
    }

    @Test("a canvas beyond the machine's limit is an error that names both")
    func tooLarge() throws {
        let picture = Compositor(canvas: PixelSize(20000, 100)) { Layer(back) }
        let error = #expect(throws: GraphError.self) { try plan(picture, [(back, .nv12, .hd720)]) }
        #expect(error?.description.contains("20000x100") == true)
        #expect(error?.description.contains("16384") == true)
    }

    @Test("equal inputs give equal plans")
    func deterministic() throws {
        let picture = Compositor { Layer(back --> Vignette(strength: 0.3)) }
        picture --> NamedSink()
        let graph = picture.node.wiring.graph
        let source = SourceFormat(layout: FrameLayout(.yuyv, .hd720), colorimetry: .bt601)
        let sinks = Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, SinkRequest(format: .i420)) })
        let input = PlanInput(graph: graph, sources: [back.node.id: source], sinks: sinks)
        #expect(try Planner.plan(input) == Planner.plan(input))
    }
}
