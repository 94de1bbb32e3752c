import PipCompose

/// Tints a frame brown.
public struct Sepia: Effect {
    public static let name = "sepia"
    public static let summary = "tints brown"
    public static var parameters: [EffectParameter<Sepia>] {
        [EffectParameter("amount", \.amount, in: 0...1, neutral: 0, "1 is brown")]
    }

    /// The strength, from 0 (unchanged) to 1.
    public var amount: Float = 1
    public init() {}

    public func operation(in context: EffectContext) -> EffectOperation {
        if amount == 0 { return .none }
        return .pixel(ShaderCall(Self.source, [.float("amount", amount)]))
    }

    private static let source = ShaderSource(
        "Sepia.frag",
        """
        uniform float PREFIX(amount);

        vec4 EFFECT(vec4 color, vec2 position)
        {
            float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
            return vec4(mix(color.rgb, luma * vec3(1.2, 1.0, 0.8), PREFIX(amount)), color.a);
        }
        """)
}

/// Draws a camera through an effect from a file, and then reads the file again while the session runs.
func drawTint(of camera: CameraSource, in session: Session) async throws {
    var tint = try FileEffect(path: "tint.glsl")
    try tint.set("amount", text: "0.7")
    let tinted = camera --> tint

    let fresh = try tinted.effect.reloaded()
    try await session.configure { try tinted.update { $0 = fresh } }
}
