internal import Glibc

/// Rotates hues, and changes saturation and brightness, by one affine map.
///
/// Source: P. Haeberli, "Matrix Operations for Image Processing" (1993); GPUImage, `GPUImageHSBFilter`. Hues rotate
/// about the grey axis, with a shear that keeps luminance. Luminance is weighted by the frame's own matrix; the
/// original always takes 0.3, 0.59 and 0.11.
public struct HSB: Effect {
    public static let name = "hsb"
    public static let summary = "changes hue, saturation and brightness in one step"
    public static var parameters: [EffectParameter<HSB>] {
        [
            EffectParameter("hue", \.hue, in: -360...360, unit: "degrees", neutral: 0, "the rotation of hues"),
            EffectParameter("saturation", \.saturation, in: 0...4, neutral: 1, "the factor on saturation"),
            EffectParameter("brightness", \.brightness, in: 0...4, neutral: 1, "the factor on brightness"),
        ]
    }

    /// The rotation of hues in degrees, from red towards green; 0 changes nothing.
    public var hue: Float = 60
    /// The factor on saturation: 0 is grey, 1 changes nothing.
    public var saturation: Float = 1
    /// The factor on brightness: 0 is black, 1 changes nothing.
    public var brightness: Float = 1

    public init() {}
    public init(hue: Float = 0, saturation: Float = 1, brightness: Float = 1) {
        self.hue = hue
        self.saturation = saturation
        self.brightness = brightness
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if hue == 0 && saturation == 1 && brightness == 1 { return .none }
        let weights = context.lumaWeights
        let gain = Double(brightness)
        return .affine(
            Self.turn(degrees: Double(hue), weights: weights)
                .then(.saturation(Double(saturation), weights: weights)).then(.scale(gain, gain, gain)))
    }

    /// Creates a rotation about the grey axis that keeps luminance.
    private static func turn(degrees: Double, weights: [Double]) -> ColorTransform {
        // First rotate the grey axis onto the blue axis.
        let (half, third) = ((1.0 / 2).squareRoot(), (1.0 / 3).squareRoot())
        let wide = (2.0 / 3).squareRoot()
        let aboutRed = ColorTransform(rows: [[1, 0, 0], [0, half, -half], [0, half, half]])
        let aboutGreen = ColorTransform(rows: [[wide, 0, -third], [0, 1, 0], [third, 0, wide]])
        let upright = aboutRed.then(aboutGreen)
        // Then shear the plane of equal luminance to be perpendicular to the blue axis.
        let flat = upright.applied(to: weights)
        func shear(_ sign: Double) -> ColorTransform {
            ColorTransform(rows: [[1, 0, 0], [0, 1, 0], [sign * flat[0] / flat[2], sign * flat[1] / flat[2], 1]])
        }
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let turn = ColorTransform(rows: [[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
        // The inverse of a rotation is its transpose.
        let back = ColorTransform(rows: (0..<3).map { row in (0..<3).map { upright.rows[$0][row] } })
        return upright.then(shear(1)).then(turn).then(shear(-1)).then(back)
    }
}
