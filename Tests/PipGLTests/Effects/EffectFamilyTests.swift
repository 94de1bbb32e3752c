import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipShaders
import PipTestSupport
import Testing

@Suite("Effects of the image and visual families", .serialized)
struct EffectFamilyTests {
    static let cases: [EffectCase] =
        ImageEffectCases.all + VisualEffectCases.all + EdgeEffectCases.all + BlurEffectCases.all
        + PrintEffectCases.all

    @Test("an effect is its formula, at odd sizes and from padded rows", arguments: cases.indices)
    func isRight(index: Int) async throws { try await check(Self.cases[index]) }

    @Test("an effect is the same fused and unfused, within a step", arguments: steadyCases)
    func fuses(index: Int) async throws {
        #expect(try await fusionDifference(Self.cases[index].effect) <= 1)
    }

    /// Those of which a rounding cannot decide more than itself.
    static var steadyCases: [Int] { cases.indices.filter { cases[$0].strays == 0 } }

    static let large = [Sketch(strength: 0.6).label]

    @Test("an effect is its formula on a large picture of odd size", arguments: large)
    func isRightAtLargeSize(label: String) async throws {
        let test = try #require(Self.cases.first { $0.effect.label == label })
        try await check(test, sizes: [PixelSize(1279, 717)], every: 101)
    }

    static let identities: [any Effect] = [
        BoxBlur(radius: 0), Sharpen(0), UnsharpMask(amount: 0), UnsharpMask(amount: 3, radius: 0), TiltShift(radius: 0),
        Bilateral(spacing: 0), SkinSmoothing(0), Convolution([0, 0, 0, 0, 1, 0, 0, 0, 0]), Transform(),
        Emboss(intensity: 0), Pixellate(size: 0),
        Swirl(angle: 0), Bulge(scale: 0), Pinch(scale: 0), Dilation(radius: 0), Erosion(radius: 0),
        Opening(radius: 0), Closing(radius: 0),
    ]

    @Test("an effect at its identity changes no byte", arguments: identities.indices)
    func identity(index: Int) async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(127, 71)))
        let picture = AnyProducer(node: source.node).applying(Self.identities[index])
        let drawn = try await rendered(picture, [source], to: .nv12, on: try await SharedContext.get())
        #expect(largestDifference(drawn, source.frame) == 0)
    }
}
