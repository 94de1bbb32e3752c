/// Makes a frame warmer or colder, and greener or pinker.
///
/// Source: GPUImage, `GPUImageWhiteBalanceFilter`. The original's matrices are transposed here, so that the tint moves
/// along the Q axis of YIQ.
public struct WhiteBalance: Effect {
    public static let name = "white-balance"
    public static let summary = "makes colours warmer or colder, greener or pinker"
    public static var parameters: [EffectParameter<WhiteBalance>] {
        [
            EffectParameter(
                "temperature", \.temperature, in: 4000...7000, unit: "K",
                neutral: 5000, "below 5000 colder, above it warmer"),
            EffectParameter("tint", \.tint, in: -200...200, neutral: 0, "below 0 greener, above 0 pinker"),
        ]
    }

    /// The colour temperature in kelvin; 5000 changes nothing.
    public var temperature: Float = 6500
    /// The tint: below 0 greener, above 0 pinker; 0 changes nothing.
    public var tint: Float = 0

    public init() {}
    public init(temperature: Float = 5000, tint: Float = 0) {
        self.temperature = temperature
        self.tint = tint
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let warmth = Double(temperature - 5000) * (temperature < 5000 ? 0.0004 : 0.00006)
        if tint == 0 {
            if warmth == 0 { return .none }
            func column(_ warm: Double) -> Curve.Function {
                { value in
                    let overlaid = value < 0.5 ? 2 * value * warm : 1 - 2 * (1 - value) * (1 - warm)
                    return value + (overlaid - value) * warmth
                }
            }
            return .curve(
                Curve(
                    label: "temperature \(temperature)", red: column(0.93), green: column(0.54), blue: column(0)))
        }
        return .pixel(
            ShaderCall(
                ShaderSource("WhiteBalance.frag", PackageResources.WhiteBalance_frag),
                [.float("warmth", Float(warmth)), .float("tint", tint / 100)]))
    }
}
