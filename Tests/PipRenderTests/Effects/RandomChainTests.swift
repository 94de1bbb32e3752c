import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

extension Dice {
    /// An effect without thresholds and steep slopes, so that rounding errors stay small.
    fileprivate mutating func gentleEffect() -> any Effect {
        let radius = Float.random(in: 0.5...3, using: &self)
        let share = Float.random(in: 0.2...0.8, using: &self)
        let effects: [any Effect] = [
            BoxBlur(radius: radius), Sharpen(-0.1), UnsharpMask(amount: -share, radius: radius),
            TiltShift(radius: radius), SelectiveBlur(), BlurPosition(), Dilation(radius: radius),
            Erosion(radius: radius),
            Median(), LineBlur(), MotionBlur(), ZoomBlur(), AverageColor(), FrostedGlass(), Diffusion(), SoftElegance(),
            Swirl(angle: 90 * share), Bulge(scale: share), Pinch(scale: share), Stretch(),
            Transform(angle: 40 * share, scale: 0.8), Crop(x: 0.1, y: 0.2, width: 0.7, height: 0.6),
            Brightness(0.1 * share), Contrast(0.6 + 0.5 * share), Saturation(2 * share), Mirror(),
            Vignette(strength: share), GaussianBlur(radius: radius), LowPass(share),
        ]
        return effects.randomElement(using: &self) ?? Mirror()
    }
}

@Suite("Random chains of the catalogue's effects", .serialized)
struct RandomChainTests {
    @Test("random chains are the same fused and unfused, within a step", arguments: 0..<10)
    func fuse(seed: Int) async throws {
        var dice = Dice(7000 + seed)
        let formats: [PixelFormat] = [.nv12, .rgbx, .yuyv, .i420]
        let source = TestSource(
            testPicture(formats.randomElement(using: &dice) ?? .nv12, PixelSize(48, 36), seed: seed))
        var chain = AnyProducer(node: source.node)
        var names: [String] = []
        for _ in 0..<Int.random(in: 1...12, using: &dice) {
            let effect = dice.gentleEffect()
            names.append(effect.label)
            chain = chain.applying(effect)
        }
        let gpu = try await SharedContext.get()
        let fused = try await rendered(chain, [source], to: .rgba, on: gpu)
        let unfused = try await rendered(chain, [source], to: .rgba, fuses: false, on: gpu)
        let difference = largestDifference(fused, unfused)
        #expect(difference <= 1, "\(names.joined(separator: ", "))")
    }
}
