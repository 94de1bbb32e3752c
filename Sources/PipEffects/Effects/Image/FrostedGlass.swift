/// Blurs like a pane of frosted glass: reduces saturation and the contrast of luma, and blurs.
///
/// Large blurs are drawn at a quarter of the width and height.
///
/// Source: GPUImage, `GPUImageiOSBlurFilter`: saturation 0.8, blur, luminance range 0.6; c + (0.5 - luma) · reduction.
public struct FrostedGlass: Effect {
    public static let name = "frosted-glass"
    public static let summary = "blurs like a pane of frosted glass"
    public static var parameters: [EffectParameter<FrostedGlass>] {
        [
            EffectParameter("radius", \.radius, in: 0...96, unit: "px", neutral: 0, "the blur's standard deviation"),
            EffectParameter("saturation", \.saturation, in: 0...2, neutral: 1, "the factor on saturation"),
            EffectParameter("reduction", \.reduction, in: 0...1, neutral: 0, "the reduction of the contrast of luma"),
        ]
    }

    /// The blur's standard deviation, in pixels of the picture.
    public var radius: Float = 12
    /// The factor on saturation; 1 changes nothing.
    public var saturation: Float = 0.8
    /// The reduction of the contrast of luma, from 0 (unchanged) to 1 (equal luma everywhere).
    public var reduction: Float = 0.6

    public init() {}
    public init(radius: Float, saturation: Float = 0.8, reduction: Float = 0.6) {
        self.radius = radius
        self.saturation = saturation
        self.reduction = reduction
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if radius == 0 && saturation == 1 && reduction == 0 { return .none }
        let frost = ShaderCall(
            ShaderSource("FrostedGlass.frag", PackageResources.FrostedGlass_frag),
            [context.luma, .vector("frost", saturation, reduction)])
        let deviation = context.pixels(radius)
        guard deviation > 0.15 else { return .pixel(frost) }
        // The reduction already blurs with the mean of 4×4 pixels, and suits large blurs only.
        guard deviation > 6 else { return .sequence([.gaussian(deviation), .pixel(frost)]) }
        return .sequence([.shrink(4), .gaussian(min(deviation / 4, Kernel.largestDeviation)), .pixel(frost)])
    }
}
