/// Convolves the picture with any 3×3 kernel.
///
/// Source: GPUImage, `GPUImage3x3ConvolutionFilter`: the sum of weight times neighbour, with unchanged alpha.
public struct Convolution: Effect {
    public static let name = "convolution"
    public static let summary = "makes each pixel a weighted sum of 3×3 pixels"
    public static var parameters: [EffectParameter<Convolution>] {
        [
            EffectParameter(
                "weights", \.weights, count: 9...9, in: -100...100, neutral: [0, 0, 0, 0, 1, 0, 0, 0, 0],
                "the nine weights, row by row")
        ]
    }

    /// The nine weights of the kernel, row by row.
    ///
    /// The default sharpens.
    public var weights: [Float] = [0, -1, 0, -1, 5, -1, 0, -1, 0]

    public init() {}
    public init(_ weights: [Float]) { self.weights = weights }

    public func operation(in context: EffectContext) -> EffectOperation {
        if weights == [0, 0, 0, 0, 1, 0, 0, 0, 0] { return .none }
        return .neighbourhood(Self.call(weights))
    }

    /// Makes the GLSL function for nine weights.
    static func call(_ weights: [Float]) -> ShaderCall {
        ShaderCall(
            ShaderSource("Convolution.frag", PackageResources.Convolution_frag), [Uniform("weights", .floats(weights))])
    }
}
