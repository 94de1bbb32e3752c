internal import PipFrames

extension EffectContext {
    /// The luma weights of red, green and blue.
    var lumaWeights: [Double] {
        let (red, blue) = matrix.lumaWeights
        return [red, 1 - red - blue, blue]
    }

    /// The luma weights as a shader's `vec3`.
    func lumaUniform(_ name: String) -> Uniform {
        let weights = lumaWeights
        return .vector(name, Float(weights[0]), Float(weights[1]), Float(weights[2]))
    }

    /// The uniform `luma`: the weights of red, green and blue.
    var luma: Uniform { lumaUniform("luma") }

    /// The uniform of the luma weights in parts of 65536.
    ///
    /// With these, a code of luma is the same number on every machine.
    var wholeLuma: Uniform {
        let weights = Measurement.wholeLumaWeights(of: matrix)
        return .vector("luma", Float(weights[0]), Float(weights[1]), Float(weights[2]))
    }

    /// The picture's width and height in units of its shorter side, in which circles are round.
    var sides: (x: Double, y: Double) {
        let shorter = Double(min(size.width, size.height))
        return (Double(size.width) / shorter, Double(size.height) / shorter)
    }

    /// The same sizes for a shader, with the width of a pixel as the third component.
    var sidesUniform: Uniform {
        .vector("sides", Float(sides.x), Float(sides.y), 1 / Float(min(size.width, size.height)))
    }

    /// A length in pixels of the picture, in drawn pixels.
    func pixels(_ length: Float) -> Double { Double(length) * scale }

    /// An operation that reads every pixel of a window; none where the window is the own pixel alone.
    ///
    /// In an enlarged picture a window would have many more pixels, without more detail. It then reads means, so that
    /// it never reaches further than `longest` of them.
    ///
    /// - Parameters:
    ///   - radius: The reach from the own pixel, in pixels of the picture.
    ///   - longest: The largest reach in drawn pixels.
    ///   - operation: Returns the operation for its reach in pixels.
    /// - Returns: The operation, after one that shrinks where it must.
    func window(_ radius: Float, longest: Int, _ operation: (Float) -> EffectOperation) -> EffectOperation {
        let reach = pixels(radius).rounded()
        guard reach > 0 else { return .none }
        let factor = (reach / Double(longest)).rounded(.up)
        guard factor > 1 else { return operation(Float(reach)) }
        return .sequence([.shrink(Int(factor)), operation(Float((reach / factor).rounded()))])
    }

    /// A Gaussian with a deviation in pixels of the picture; nil where it changes nothing.
    func gaussian(_ radius: Float) -> EffectOperation? {
        let deviation = min(pixels(radius), Kernel.longest / 2)
        return deviation > 0.15 ? .gaussian(deviation) : nil
    }
}

/// The kernels of several blurs.
///
/// The centre's weight comes first.
enum Kernel {
    /// The longest reach of a kernel, in drawn pixels.
    ///
    /// A small part of a picture that fills a canvas would otherwise need one of a hundred thousand.
    static let longest = 1024.0

    /// Equal weights up to a radius, with a part for the pixel at its end; nil where the kernel changes nothing.
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
