import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

extension Dice {
    mutating func effect() -> any Effect {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: Brightness(.random(in: -0.1...0.1, using: &self))
        case 1: Contrast(.random(in: 0.7...1.3, using: &self))
        case 2: Saturation(.random(in: 0.3...1.5, using: &self))
        case 3: Gamma(.random(in: 0.6...1.6, using: &self))
        case 4: Vignette(strength: .random(in: 0...1, using: &self))
        case 5: Mirror()
        case 6: GaussianBlur(radius: .random(in: 0.5...2, using: &self))
        default: Sobel(strength: 0.5)
        }
    }

    mutating func chain(from source: TestSource, length: Int) -> AnyProducer {
        var node = AnyProducer(node: source.node)
        for _ in 0..<length { node = node.applying(effect()) }
        return node
    }
}

struct AnyProducer: FrameProducer {
    let node: GraphNode

    func applying(_ effect: any Effect) -> AnyProducer {
        func join(_ effect: some Effect) -> AnyProducer { AnyProducer(node: (self --> effect).node) }
        return join(effect)
    }
}

@Suite("Fused and unfused drawing", .serialized)
struct FusionTests {
    private let formats: [PixelFormat] = [.nv12, .i420, .yuyv, .nv16, .bgrx, .nv21, .uyvy, .yv12, .rgb24, .gray]

    @Test("random graphs look the same fused and unfused, within one step", arguments: 0..<24)
    func randomGraphs(seed: Int) async throws {
        var dice = Dice(seed)
        let difference = try await difference(&dice, seed: seed) { layer, _ in layer }
        #expect(difference <= 1)
    }

    // The GPU blends in 8 bits, so its weights and results are rounded once more for each layer.
    //
    // The main picture is plain: a corner that cuts a 4:2:0 sample mixes with the mean of the picture below, not with
    // that picture's remaining pixels.
    @Test("random graphs with translucent layers look the same, within two steps", arguments: 32..<48)
    func randomBlendedGraphs(seed: Int) async throws {
        var dice = Dice(seed)
        let difference = try await difference(&dice, seed: seed, mainFormats: [.nv12, .i420], effects: 0) {
            layer, dice in
            let opacity = Double.random(in: 0.3...1, using: &dice)
            return layer.faded(to: opacity).rounded(5).bordered(2, .white)
        }
        #expect(difference <= 2)
    }

    private func difference(
        _ dice: inout Dice, seed: Int, mainFormats: [PixelFormat]? = nil, effects: Int = 4,
        look: (Layer, inout Dice) -> Layer
    ) async throws -> Int {
        let gpu = try await SharedContext.get()
        let main = TestSource(
            testPicture((mainFormats ?? formats).randomElement(using: &dice) ?? .nv12, PixelSize(96, 64), seed: seed))
        let inset = TestSource(
            testPicture(
                formats.randomElement(using: &dice) ?? .nv12, PixelSize(80, 48), seed: seed + 3, colorimetry: .bt601))
        let below = Layer(dice.chain(from: main, length: .random(in: 0...effects, using: &dice)))
        let above = Layer(dice.chain(from: inset, length: .random(in: 0...3, using: &dice)))
            .placed(
                // The inset's edges lie on whole chroma samples.
                x: 2 * .random(in: 0...20, using: &dice), y: 2 * .random(in: 0...10, using: &dice),
                width: 2 * .random(in: 10...30, using: &dice), height: 2 * .random(in: 8...22, using: &dice)
            )
            .oriented(Orientation.allCases.randomElement(using: &dice) ?? .identity)
        let looked = look(above, &dice)
        let picture = Compositor(canvas: PixelSize(96, 64)) {
            below
            looked
        }
        let target = SinkRequest.formats.randomElement(using: &dice) ?? .nv12
        let fused = try await rendered(picture, [main, inset], to: target, on: gpu)
        let unfused = try await rendered(picture, [main, inset], to: target, fuses: false, on: gpu)
        return largestDifference(fused, unfused)
    }
}
