import PipEffects

/// An effect whose operation the test chooses.
struct Drawing: Effect {
    static let name = "drawing"
    static let summary = "for tests"
    static let parameters: [EffectParameter<Drawing>] = []
    var label = ""
    var drawn = EffectOperation.none

    init() {}
    init(_ drawn: EffectOperation) { self.drawn = drawn }

    func operation(in context: EffectContext) -> EffectOperation { drawn }

    static func call(_ text: String, _ uniforms: [Uniform] = []) -> ShaderCall {
        ShaderCall(ShaderSource("Drawing.frag", text), uniforms)
    }
}
