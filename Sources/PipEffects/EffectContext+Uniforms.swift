internal import PipFrames

extension EffectContext {
    /// The luma weights of red, green and blue.
    var lumaWeights: [Double] {
        let (red, blue) = matrix.lumaWeights
        return [red, 1 - red - blue, blue]
    }

    /// The weights as a shader's `vec3`.
    func lumaUniform(_ name: String) -> Uniform {
        let weights = lumaWeights
        return .vector(name, Float(weights[0]), Float(weights[1]), Float(weights[2]))
    }

    /// The shares of red, green and blue in luma.
    var luma: Uniform { lumaUniform("luma") }

    /// The shares of red, green and blue in luma, in parts of 65536: with these a code of luma is the same number on
    /// every machine.
    var wholeLuma: Uniform {
        let weights = Measurement.wholeLumaWeights(of: matrix)
        return .vector("luma", Float(weights[0]), Float(weights[1]), Float(weights[2]))
    }

    /// The picture's width and height in its shorter side, in which circles are round.
    var sides: (x: Double, y: Double) {
        let shorter = Double(min(size.width, size.height))
        return (Double(size.width) / shorter, Double(size.height) / shorter)
    }

    /// The same for a shader; with the width of a pixel as the third part.
    var sidesUniform: Uniform {
        .vector("sides", Float(sides.x), Float(sides.y), 1 / Float(min(size.width, size.height)))
    }

    /// A length in pixels of the picture, as it is drawn.
    func pixels(_ length: Float) -> Double { Double(length) * scale }

    /// An operation that looks at every pixel of a window; none where the window is the own pixel alone.
    ///
    /// Of a picture drawn larger than it is, a window would have the square of that many pixels more, without seeing
    /// more: it then looks at means, so that it never reaches further than `longest` of them.
    ///
    /// - Parameters:
    ///   - radius: The reach from the own pixel, in pixels of the picture.
    ///   - longest: The most pixels that it may reach.
    ///   - operation: The operation by its reach in pixels.
    /// - Returns: The operation, after one that shrinks where it must.
    func window(_ radius: Float, longest: Int, _ operation: (Float) -> EffectOperation) -> EffectOperation {
        let reach = pixels(radius).rounded()
        guard reach > 0 else { return .none }
        let factor = (reach / Double(longest)).rounded(.up)
        guard factor > 1 else { return operation(Float(reach)) }
        return .sequence([.shrink(Int(factor)), operation(Float((reach / factor).rounded()))])
    }

    /// A gaussian bell by its deviation in pixels of the picture; nil where it changes nothing.
    func gaussian(_ radius: Float) -> EffectOperation? {
        let deviation = min(pixels(radius), Kernel.longest / 2)
        return deviation > 0.15 ? .gaussian(deviation) : nil
    }
}

/// Kernels that blurs share: the centre's weight first.
enum Kernel {
    /// The furthest that a kernel reaches, in drawn pixels: a small part of a picture drawn at the size of a canvas
    /// would take one of a hundred thousand.
    static let longest = 1024.0

    /// Equal weights as far as a radius, with a part for the pixel that it cuts; nil where it changes nothing.
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
