import PipShaders

/// Inverts red and adds the place to green and blue: an app's own effect of one pixel.
struct PlaceTint: Effect {
    static let name = "place-tint"
    static let summary = "for tests"
    static let parameters = [EffectParameter<PlaceTint>("amount", \.amount, in: 0...1, "how much")]
    var amount: Float = 0.5

    func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource(
                    "PlaceTint.frag",
                    """
                    uniform float PREFIX(amount);
                    vec4 EFFECT(vec4 color, vec2 position)
                    {
                        return vec4(1.0 - color.r, color.gb + PREFIX(amount) * position, color.a);
                    }
                    """), [.float("amount", amount)]))
    }
}

/// Turns the picture around its middle, more in the middle than at the edge.
struct Swirl: Effect {
    static let name = "swirl"
    static let summary = "for tests"
    static let parameters = [EffectParameter<Swirl>("turn", \.turn, in: -4...4, "radians in the middle")]
    var turn: Float = 1

    func operation(in context: EffectContext) -> EffectOperation {
        .warp(
            ShaderCall(
                ShaderSource(
                    "Swirl.frag",
                    """
                    uniform float PREFIX(turn);
                    vec2 EFFECT(vec2 position)
                    {
                        vec2 away = position - 0.5;
                        float angle = PREFIX(turn) * max(0.0, 1.0 - 2.0 * length(away));
                        return 0.5 + mat2(cos(angle), sin(angle), -sin(angle), cos(angle)) * away;
                    }
                    """), [.float("turn", turn)]))
    }
}

/// The brightest of nine pixels, component by component.
struct Dilate: Effect {
    static let name = "dilate"
    static let summary = "for tests"
    static let parameters: [EffectParameter<Dilate>] = []

    func operation(in context: EffectContext) -> EffectOperation {
        .neighbourhood(
            ShaderCall(
                ShaderSource(
                    "Dilate.frag",
                    """
                    vec4 EFFECT(vec4 around[9])
                    {
                        vec4 most = around[0];
                        for (int i = 1; i < 9; i++)
                            most = max(most, around[i]);
                        return most;
                    }
                    """)))
    }
}

/// Not a number where red is above a half.
struct Nonsense: Effect {
    static let name = "nonsense"
    static let summary = "for tests"
    static let parameters: [EffectParameter<Nonsense>] = []

    func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource(
                    "Nonsense.frag",
                    "vec4 EFFECT(vec4 color, vec2 position) { return position.x < 0.5 ? vec4(sqrt(color.r - 2.0)) : color; }"
                )))
    }
}

/// Does not compile: the mistake is in its third line.
struct Broken: Effect {
    static let name = "broken"
    static let summary = "for tests"
    static let parameters: [EffectParameter<Broken>] = []

    func operation(in context: EffectContext) -> EffectOperation {
        .pixel(
            ShaderCall(
                ShaderSource(
                    "Broken.frag",
                    """
                    vec4 EFFECT(vec4 color, vec2 position)
                    {
                        return color * missingName;
                    }
                    """)))
    }
}
