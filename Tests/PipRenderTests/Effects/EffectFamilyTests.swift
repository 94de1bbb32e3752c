import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Effects of the image and visual families", .serialized)
struct EffectFamilyTests {
    static let cases: [EffectCase] =
        ImageEffectCases.all + VisualEffectCases.all + EdgeEffectCases.all + BlurEffectCases.all
        + PrintEffectCases.all + TallyEffectCases.all + MarkEffectCases.all

    @Test("an effect equals its formula, at odd sizes and with padded rows", arguments: cases.indices)
    func isRight(index: Int) async throws { try await check(Self.cases[index]) }

    @Test("an effect is the same fused and unfused, within a step", arguments: steadyCases)
    func fuses(index: Int) async throws {
        #expect(try await fusionDifference(Self.cases[index].effect) <= 1)
    }

    /// The cases without thresholds, in which a rounding error stays small.
    static var steadyCases: [Int] { cases.indices.filter { cases[$0].strays == 0 } }

    static let large = [Sketch(strength: 0.6).label, CLAHE().label, HistogramEqualization().label]

    @Test("an effect equals its formula on a large picture of odd size", arguments: large)
    func isRightAtLargeSize(label: String) async throws {
        let test = try #require(Self.cases.first { $0.effect.label == label })
        try await check(test, sizes: [PixelSize(1279, 717)], every: 101)
    }

    static let identities: [any Effect] = [
        BoxBlur(radius: 0), Sharpen(0), UnsharpMask(amount: 0), UnsharpMask(amount: 3, radius: 0), TiltShift(radius: 0),
        Bilateral(spacing: 0), SkinSmoothing(0), Convolution([0, 0, 0, 0, 1, 0, 0, 0, 0]), Transform(scale: 1),
        Emboss(intensity: 0), Pixellate(size: 0),
        Swirl(angle: 0), Bulge(scale: 0), Pinch(scale: 0), Dilation(radius: 0), Erosion(radius: 0),
        Crosshairs([]), Lines([]), Circle(radius: 0),
        Opening(radius: 0), Closing(radius: 0), HistogramEqualization(0), CLAHE(clip: 2, amount: 0),
    ]

    @Test("an effect with neutral parameters changes no byte", arguments: identities.indices)
    func identity(index: Int) async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(127, 71)))
        let picture = AnyProducer(node: source.node).applying(Self.identities[index])
        let drawn = try await rendered(picture, [source], to: .nv12, on: try await SharedContext.get())
        #expect(largestDifference(drawn, source.frame) == 0)
    }
}

@Suite("Effects on scaled and rotated layers", .serialized)
struct EffectPlaceTests {
    @Test("an inset's effect lengths scale with the inset", arguments: [PixelFormat.rgbx, .nv12])
    func scales(format: PixelFormat) async throws {
        let gpu = try await SharedContext.get()
        let large = TestSource(testPicture(format, PixelSize(96, 64)))
        let small = Compositor(canvas: PixelSize(24, 16)) {
            Layer(large --> BoxBlur(radius: 6) --> Dilation(radius: 8))
        }
        let drawn = try await rendered(small, [large], to: .rgba, on: gpu)
        // The reference applies a quarter of each length to the picture at a quarter of its width and height.
        let shrunk = Compositor(canvas: PixelSize(24, 16)) { Layer(large) }
        let same = try await rendered(
            shrunk --> BoxBlur(radius: 1.5) --> Dilation(radius: 2), [large], to: .rgba, on: gpu)
        #expect(largestDifference(drawn, same) <= 2)
    }

    static let shaped: [any Effect] = [
        Swirl(angle: 120, radius: 0.4), Pixellate(size: 0.2), Halftone(size: 0.25), GlassSphere(), MotionBlur(),
        UnsharpMask(amount: 1, radius: 1), Transform(angle: 30, scale: 0.8),
        Crop(x: 0.2, y: 0.1, width: 0.5, height: 0.7),
    ]

    @Test("a rotated layer equals the rotated result of its effect", arguments: shaped.indices)
    func turns(index: Int) async throws {
        let gpu = try await SharedContext.get()
        let source = TestSource(testPicture(.rgbx, PixelSize(40, 20)))
        let effect = AnyProducer(node: source.node).applying(Self.shaped[index])
        let upright = PixelGrid(try await rendered(effect, [source], to: .rgba, on: gpu))
        let size = upright.size.transposed
        let turned = Compositor(canvas: size) { Layer(effect).oriented(Orientation(quarterTurns: 1)) }
        let drawn = try await rendered(turned, [source], to: .rgba, on: gpu)
        // A clockwise rotation makes the left edge the upper one.
        let wanted = PixelGrid(size) { x, y in upright.at(y, upright.size.height - 1 - x) }
        expect(drawn, wanted, within: 1.01, "turned")
    }
}
