/// Sharpens by adding the detail that a blur removes.
///
/// Source: GPUImage, `GPUImageUnsharpMaskFilter`: k c + (1 - k) blur(c). GPUImage's `intensity` k is 1 for no change;
/// `amount` here is k - 1.
public struct UnsharpMask: Effect {
    public static let name = "unsharp-mask"
    public static let summary = "sharpens by adding the detail that a blur removes"
    public static var parameters: [EffectParameter<UnsharpMask>] {
        [
            EffectParameter(
                "amount", \.amount, in: -1...8, neutral: 0,
                "the share of the difference from the blur that is added; -1 is the blur alone"),
            EffectParameter("radius", \.radius, in: 0...24, unit: "px", "the blur's standard deviation"),
        ]
    }

    /// The share of the difference from the blurred picture that is added; 0 changes nothing, negative values soften.
    public var amount: Float = 1
    /// The blur's standard deviation, in pixels of the picture.
    public var radius: Float = 4

    public init() {}
    public init(amount: Float, radius: Float = 4) {
        self.amount = amount
        self.radius = radius
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        guard amount != 0, let blur = context.gaussian(radius) else { return .none }
        return .combine(
            with: [blur],
            ShaderCall(
                ShaderSource("UnsharpMask.frag", PackageResources.UnsharpMask_frag), [.float("amount", amount)]))
    }
}
