/// Smooths skin: areas with little detail that are bright in red.
///
/// The effect does not detect faces.
///
/// Source: GPUPixel, `BeautyFaceFilter`: p = sat((min(R, mean R - 0.1) - 0.2) · 4), k = sat((1 - v / (v + 0.1)) · p ·
/// amount), mix(c, mean, k). The mean is that of a box, and v is the box's mean of min(((c - mean) · 7.07)², 1).
/// Sharpening follows.
public struct SkinSmoothing: Effect {
    public static let name = "skin-smoothing"
    public static let summary = "smooths skin and keeps its edges"
    public static var parameters: [EffectParameter<SkinSmoothing>] {
        [
            EffectParameter("amount", \.amount, in: 0...1, neutral: 0, "the strength of the smoothing"),
            EffectParameter("sharpen", \.sharpen, in: 0...1, "the strength of the sharpening that follows"),
            EffectParameter("radius", \.radius, in: 1...24, unit: "px", "the radius of the mean"),
        ]
    }

    /// The strength, from 0 (unchanged) to 1.
    public var amount: Float = 1
    /// The strength of the sharpening that follows, 0…1.
    public var sharpen: Float = 0
    /// The radius of the box of the mean, in pixels of the picture.
    public var radius: Float = 8

    public init() {}
    public init(_ amount: Float, sharpen: Float = 0, radius: Float = 8) {
        self.amount = amount
        self.sharpen = sharpen
        self.radius = radius
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        var operations: [EffectOperation] = []
        if amount > 0, let kernel = Kernel.box(radius: context.pixels(radius)) {
            let box = EffectOperation.separable(kernel)
            let detail = ShaderCall(ShaderSource("Detail.frag", PackageResources.Detail_frag), [.float("factor", 7.07)])
            let smooth = ShaderCall(
                ShaderSource("SkinSmoothing.frag", PackageResources.SkinSmoothing_frag), [.float("amount", amount)])
            operations.append(.combine(with: [box], and: [.combine(with: [box], detail), box], smooth))
        }
        if sharpen > 0 {
            // Adds 2 s (c - mean), where the mean weights the 3×3 pixels by 1, 2, 1 in each direction.
            let weights: [Float] = [1, 2, 1, 2, 4, 2, 1, 2, 1].map { -2 * sharpen * $0 / 16 }
            var kernel = weights
            kernel[4] += 1 + 2 * sharpen
            operations.append(.neighbourhood(Convolution.call(kernel)))
        }
        return operations.isEmpty ? .none : .sequence(operations)
    }
}
