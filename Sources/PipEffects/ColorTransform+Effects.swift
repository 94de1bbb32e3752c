internal import Glibc
internal import PipFrames

extension ColorTransform {
    /// Creates a map that multiplies each component by a factor.
    static func scale(_ red: Double, _ green: Double, _ blue: Double) -> ColorTransform {
        ColorTransform(rows: [[red, 0, 0], [0, green, 0], [0, 0, blue]])
    }

    /// Interpolates between the identity (0) and this transform (1).
    func mixed(_ amount: Double) -> ColorTransform {
        let mixed = rows.enumerated().map { row, values in
            values.enumerated().map { column, value in value * amount + (row == column ? 1 - amount : 0) }
        }
        return ColorTransform(rows: mixed, offset: offset.map { $0 * amount })
    }

    /// Creates a map that mixes colours with their luma: a factor of 0 gives grey, 1 changes nothing.
    static func saturation(_ factor: Double, weights: [Double]) -> ColorTransform {
        ColorTransform(rows: Array(repeating: weights, count: 3)).mixed(1 - factor)
    }

    /// Creates a rotation of hues that keeps luma.
    ///
    /// Positive angles turn red towards yellow.
    ///
    /// The plane of colour differences is scaled as in composite video. With the luma weights of BT.601, this is the
    /// rotation of YIQ.
    ///
    /// Source: ITU-R BT.470-6, U = 0.493 (B - Y) and V = 0.877 (R - Y).
    static func hue(degrees: Double, weights: [Double]) -> ColorTransform {
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let (scaleU, scaleV) = (0.493, 0.877)
        // R'G'B' is converted to luma, U and V, rotated, and converted back.
        let toPlane = ColorTransform(rows: [
            weights,
            zip([0, 0, 1], weights).map { scaleU * ($0 - $1) },
            zip([1, 0, 0], weights).map { scaleV * ($0 - $1) },
        ])
        let turn = ColorTransform(rows: [[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])
        let green = [-weights[2] / weights[1] / scaleU, -weights[0] / weights[1] / scaleV]
        let back = ColorTransform(rows: [[1, 0, 1 / scaleV], [1, green[0], green[1]], [1, 1 / scaleU, 0]])
        return toPlane.then(turn).then(back)
    }
}

extension Uniform {
    /// A uniform `vec3` of a colour's red, green and blue.
    static func color(_ name: String, _ color: Color) -> Uniform {
        .vector(name, Float(color.red), Float(color.green), Float(color.blue))
    }
}
