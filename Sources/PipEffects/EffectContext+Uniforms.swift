internal import PipFrames

extension EffectContext {
    /// The luma weights of red, green and blue.
    var lumaWeights: [Double] {
        let (red, blue) = matrix.lumaWeights
        return [red, 1 - red - blue, blue]
    }

    /// A uniform `vec3` of the luma weights.
    func lumaUniform(_ name: String) -> Uniform {
        let weights = lumaWeights
        return .vector(name, Float(weights[0]), Float(weights[1]), Float(weights[2]))
    }

    /// A uniform `vec3` named `luma` of the luma weights.
    var luma: Uniform { lumaUniform("luma") }

    /// A uniform `vec3` named `luma` of the luma weights, as integers in units of 1/65536.
    ///
    /// With integers, every machine computes the same luma code.
    var wholeLuma: Uniform {
        let weights = Measurement.wholeLumaWeights(of: matrix)
        return .vector("luma", Float(weights[0]), Float(weights[1]), Float(weights[2]))
    }

    /// The picture's width and height in units of its shorter side: in these units, circles are round.
    var sides: (x: Double, y: Double) {
        let shorter = Double(min(size.width, size.height))
        return (Double(size.width) / shorter, Double(size.height) / shorter)
    }

    /// A uniform `vec3` named `sides` of the picture's width and height, and the width of a pixel.
    ///
    /// Units: the shorter side.
    var sidesUniform: Uniform {
        .vector("sides", Float(sides.x), Float(sides.y), 1 / Float(min(size.width, size.height)))
    }

    /// Converts a length from pixels of the picture to drawn pixels.
    func pixels(_ length: Float) -> Double { Double(length) * scale }

    /// Makes an operation that reads every pixel of a window; `.none` when the window is only the pixel itself.
    ///
    /// If the window would reach further than `longest` pixels, as in a much enlarged picture, the picture is shrunk
    /// first.
    ///
    /// - Parameters:
    ///   - radius: The radius of the window, in pixels of the picture.
    ///   - longest: The largest radius, in the pixels that the operation reads.
    ///   - operation: Makes the operation for a radius in the pixels that it reads.
    /// - Returns: The operation, with a preceding one that shrinks the picture if needed.
    func window(_ radius: Float, longest: Int, _ operation: (Float) -> EffectOperation) -> EffectOperation {
        let reach = pixels(radius).rounded()
        guard reach > 0 else { return .none }
        let factor = (reach / Double(longest)).rounded(.up)
        guard factor > 1 else { return operation(Float(reach)) }
        return .sequence([.shrink(Int(factor)), operation(Float((reach / factor).rounded()))])
    }

    /// Makes a Gaussian blur whose standard deviation is in pixels of the picture; nil when the blur is too small to be
    /// seen.
    ///
    /// The standard deviation is limited to ``Kernel/largestDeviation``.
    func gaussian(_ radius: Float) -> EffectOperation? {
        let deviation = min(pixels(radius), Kernel.largestDeviation)
        return deviation > 0.15 ? .gaussian(deviation) : nil
    }
}

/// The kernels of one-dimensional blurs.
///
/// The centre's weight comes first.
enum Kernel {
    /// The largest radius of a box kernel, in drawn pixels.
    ///
    /// Without this limit, a small part of a picture that is enlarged to the canvas could need a radius of 100,000
    /// pixels.
    static let longest = 1024.0

    /// The largest standard deviation of a Gaussian kernel, in drawn pixels.
    static let largestDeviation = longest / 2

    /// A box kernel, with a fractional weight for the outermost pixel; nil for a radius of at most 0.01.
    static func box(radius: Double) -> [Double]? {
        guard radius > 0.01 else { return nil }
        let radius = min(radius, longest)
        let whole = Int(radius)
        let rest = radius - Double(whole)
        return normalised(Array(repeating: 1, count: whole + 1) + (rest > 0.001 ? [rest] : []))
    }

    private static func normalised(_ weights: [Double]) -> [Double] {
        let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
        return weights.map { $0 / sum }
    }
}
