import PipEffects
import PipFrames

/// An app's own per-pixel effect: inverts red, and adds the position times `amount` to green and blue.
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

/// Rotates the picture around its middle, by less towards the edge.
struct Twist: Effect {
    static let name = "twist"
    static let summary = "for tests"
    static let parameters = [EffectParameter<Twist>("turn", \.turn, in: -4...4, "radians in the middle")]
    var turn: Float = 1

    func operation(in context: EffectContext) -> EffectOperation {
        .warp(
            ShaderCall(
                ShaderSource(
                    "Twist.frag",
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

/// The maximum of 3 × 3 pixels, component by component.
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

/// Returns NaN for the pixels in the left half of the picture.
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

/// An effect whose shader does not compile, because of a mistake in its third line.
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

/// Looks up colours by position in two additional textures: one has 4 texels in a row for red, the other 2×2.
struct Palette: Effect {
    static let name = "palette"
    static let summary = "for tests"
    static let parameters: [EffectParameter<Palette>] = []
    var first: Float = 0

    func operation(in context: EffectContext) -> EffectOperation {
        let first = first
        let across = ConstantTexture(label: "across \(first)", size: PixelSize(4, 1), format: .rg32f) {
            [first, 0, 0.25, 0, 0.5, 0, 1, 0]
        }
        let square = ConstantTexture(label: "square", size: PixelSize(2, 2), format: .rgba8) {
            [0, 10, 20, 255, 0, 30, 40, 255, 0, 50, 60, 255, 0, 70, 80, 255] as [UInt8]
        }
        return .pixel(
            ShaderCall(
                ShaderSource(
                    "Palette.frag",
                    """
                    uniform sampler2D PREFIX(across);
                    uniform sampler2D PREFIX(square);
                    vec4 EFFECT(vec4 color, vec2 position)
                    {
                        float red = texelFetch(PREFIX(across), ivec2(position.x * 4.0, 0), 0).r;
                        return vec4(red, texelFetch(PREFIX(square), ivec2(position * 2.0), 0).gb, color.a);
                    }
                    """), textures: [TextureUniform("across", across), TextureUniform("square", square)]))
    }
}

/// A different curve for each component.
struct Columns: Effect {
    static let name = "columns"
    static let summary = "for tests"
    static let parameters: [EffectParameter<Columns>] = []
    var isSmooth = true

    func operation(in context: EffectContext) -> EffectOperation {
        let isSmooth = isSmooth
        return .curve(
            Curve(
                label: "columns \(isSmooth)", red: { $0 * $0 },
                green: { isSmooth ? $0.squareRoot() : $0 < 0.5 ? 0 : 1 }, blue: { 1 - 0.5 * $0 }))
    }
}

/// Inverts with a lookup texture, and calls `note` when the texture is made.
struct Counted: Effect {
    static let name = "counted"
    static let summary = "for tests"
    static let parameters: [EffectParameter<Counted>] = []
    var note: @Sendable () -> Void = {}

    init() {}
    init(_ note: @escaping @Sendable () -> Void) { self.note = note }

    func operation(in context: EffectContext) -> EffectOperation {
        let note = note
        let one = ConstantTexture(label: "counted", size: PixelSize(1, 1), format: .rg32f) {
            note()
            return [1, 0] as [Float]
        }
        let text = """
            uniform sampler2D PREFIX(one);
            vec4 EFFECT(vec4 color, vec2 position) { return texelFetch(PREFIX(one), ivec2(0), 0).r - color; }
            """
        return .pixel(
            ShaderCall(ShaderSource("Counted.frag", text), textures: [TextureUniform("one", one)]))
    }
}
