import PipEffects
import PipFrames
import Testing

@Suite("Traits of operations for the planner")
struct OperationTraitsTests {
    private static func call(changesAlpha: Bool = false, isWide: Bool = false) -> ShaderCall {
        ShaderCall(ShaderSource("Test.frag", "vec4 EFFECT(vec4 color)"), changesAlpha: changesAlpha, isWide: isWide)
    }

    @Test(
        "functions of one pixel of one picture share a pass, others do not",
        arguments: [
            (EffectOperation.affine(.identity), true), (.pixel(Self.call()), true), (.orientation(.flipped), true),
            (.temporal(Self.call()), false), (.combine(with: [], Self.call()), false), (.gaussian(2), false),
            (.warp(Self.call()), false), (.lanczos, false), (.mean, false),
        ])
    func sharesPass(_ operation: EffectOperation, _ expected: Bool) {
        #expect(operation.traits.isPointwise == expected)
    }

    @Test("a mix of branches has the alpha and the history of all of them")
    func branches() {
        let keyed = EffectOperation.combine(with: [.mean], and: [.pixel(Self.call(changesAlpha: true))], Self.call())
        #expect(keyed.traits.changesAlpha && keyed.traits.secondPictureCount == 2 && !keyed.traits.keepsHistory)
        let held = EffectOperation.combine(with: [.temporal(Self.call())], Self.call())
        #expect(held.traits.keepsHistory && !held.traits.changesAlpha)
    }

    @Test("a source's frame is read directly by per-pixel functions and by reductions")
    func readsSource() {
        #expect(EffectOperation.shrink(4).traits.readsSource && EffectOperation.pixel(Self.call()).traits.readsSource)
        #expect(EffectOperation.combine(with: [.shrink(2), .gaussian(3)], Self.call()).traits.readsSource)
        #expect(!EffectOperation.combine(with: [.gaussian(3)], Self.call()).traits.readsSource)
        #expect(!EffectOperation.neighbourhood(Self.call()).traits.readsSource)
    }

    @Test("only operations that keep sample values, map them or filter all planes alike are applied to planes")
    func planes() {
        #expect(EffectOperation.affine(.identity).traits.planeForm == .affine(.identity))
        #expect(EffectOperation.separable([0.5, 0.25]).traits.planeForm == .filter(.kernel([0.5, 0.25])))
        // Weights of another sum than 1 would scale the offsets of Y'CbCr.
        #expect(EffectOperation.separable([0.25, 0.25]).traits.planeForm == nil)
        #expect(EffectOperation.separable([1, 0.5]).traits.planeForm == nil)
        #expect(EffectOperation.separable([0.334, 0.333]).traits.planeForm == .filter(.kernel([0.334, 0.333])))
        #expect(EffectOperation.orientation(.flipped).traits.planeForm == .identity)
        #expect(EffectOperation.pixel(Self.call()).traits.planeForm == nil)
        #expect(EffectOperation.sequence([.affine(.identity)]).traits.planeForm == nil)
    }

    @Test("results keep their input's precision unless a function says otherwise")
    func precision() {
        #expect(EffectOperation.gaussian(2).traits.precision == .ofInput)
        #expect(EffectOperation.pixel(Self.call()).traits.precision == .eightBits)
        #expect(EffectOperation.sampler(Self.call(isWide: true)).traits.precision == .float)
    }

    @Test(
        "effects that rotate, crop or change alpha are structural, and those that rotate or crop are not faded")
    func effects() {
        let turned = EffectTraits(.sequence([.mean, .orientation(.flipped)]))
        #expect(turned.isStructural && turned.changesFraming && turned.framing == .same)
        let keyed = EffectTraits(.pixel(Self.call(changesAlpha: true)))
        #expect(keyed.isStructural && !keyed.changesFraming)
        let cropped = EffectTraits(.crop(x: 0, y: 0.5, width: 1, height: 0.5))
        #expect(cropped.framing == .cropped(x: 0, y: 0.5, width: 1, height: 0.5) && cropped.keepsPlanesApart)
        #expect(!EffectTraits(.mean).isStructural && EffectTraits(.mean, isStructural: true).isStructural)
    }
}
