internal import Glibc
public import PipFrames

/// Rotates, scales, tilts and moves a picture within its frame.
///
/// Source: GPUImage, `GPUImageTransformFilter`: a 4×4 matrix, here given by angles, factors and shifts, with the eye
/// two picture heights away. Outside of the picture, the background shows.
public struct Transform: Effect {
    public static let name = "transform"
    public static let summary = "turns, scales, tilts and moves the picture"
    public static var parameters: [EffectParameter<Transform>] {
        [
            EffectParameter("angle", \.angle, in: -360...360, unit: "°", neutral: 0, "the clockwise rotation"),
            EffectParameter("scale-x", \.scaleX, in: 0.01...100, neutral: 1, "the factor on the width"),
            EffectParameter("scale-y", \.scaleY, in: 0.01...100, neutral: 1, "the factor on the height"),
            EffectParameter("x", \.x, in: -4...4, neutral: 0, "the shift to the right, in picture widths"),
            EffectParameter("y", \.y, in: -4...4, neutral: 0, "the shift down, in picture heights"),
            EffectParameter(
                "tilt-x", \.tiltX, in: -80...80, unit: "°", neutral: 0,
                "the rotation about the horizontal axis: the top moves back"),
            EffectParameter(
                "tilt-y", \.tiltY, in: -80...80, unit: "°", neutral: 0,
                "the rotation about the vertical axis: the right side moves back"),
            EffectParameter("background", \.background, "the colour outside the picture"),
        ]
    }

    public static let isStructural = true

    /// The clockwise rotation, in degrees.
    public var angle: Float = 15
    /// The factor on the picture's width; 1 keeps the width.
    public var scaleX: Float = 1
    /// The factor on the picture's height; 1 keeps the height.
    public var scaleY: Float = 1
    /// The shift to the right, in picture widths.
    public var x: Float = 0
    /// The shift down, in picture heights.
    public var y: Float = 0
    /// The rotation about the horizontal axis, in degrees: positive angles move the top away.
    public var tiltX: Float = 0
    /// The rotation about the vertical axis, in degrees: positive angles move the right side away.
    public var tiltY: Float = 0
    /// The colour outside the picture; its alpha is ignored.
    public var background = Color.black

    public init() {}
    public init(angle: Float = 0, scale: Float = 1, x: Float = 0, y: Float = 0) {
        self.angle = angle
        (scaleX, scaleY) = (scale, scale)
        self.x = x
        self.y = y
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        if [angle, x, y, tiltX, tiltY] == [0, 0, 0, 0, 0] && scaleX == 1 && scaleY == 1 { return .none }
        let aspect = Double(context.size.width) / Double(context.size.height)
        let map = Uniform("map", .matrix3(inverse(aspect: aspect).map { Float($0) }))
        let pixels = Uniform.vector("pixels", Float(context.size.width), Float(context.size.height))
        return .sequence([
            .warp(ShaderCall(ShaderSource("Transform.frag", PackageResources.Transform_frag), [map])),
            .pixel(
                ShaderCall(
                    ShaderSource("TransformEdge.frag", PackageResources.TransformEdge_frag),
                    [
                        map, pixels,
                        .vector(
                            "background", Float(background.red), Float(background.green), Float(background.blue)),
                    ])),
        ])
    }

    /// The homography from positions in the output to positions in the picture, column by column.
    private func inverse(aspect: Double) -> [Double] {
        let turn = Double(angle) * .pi / 180
        let (pitch, yaw) = (Double(tiltX) * .pi / 180, Double(tiltY) * .pi / 180)
        // The picture's axes in space are scaled, rotated, then tilted. X points right, Y down, Z away from the eye.
        func axis(_ x: Double, _ y: Double) -> [Double] {
            let turned = [cos(turn) * x - sin(turn) * y, sin(turn) * x + cos(turn) * y, 0]
            let pitched = [turned[0], cos(pitch) * turned[1], -sin(pitch) * turned[1]]
            return [
                cos(yaw) * pitched[0] - sin(yaw) * pitched[2], pitched[1],
                sin(yaw) * pitched[0] + cos(yaw) * pitched[2],
            ]
        }
        let across = axis(Double(scaleX) * aspect, 0)
        let down = axis(0, Double(scaleY))
        let eye = 2.0
        let (moveX, moveY) = (Double(x) * aspect, Double(y))
        // The rows map a position (u, v, 1) relative to the middle, before the perspective division.
        let rows = [
            [eye * across[0] + moveX * across[2], eye * down[0] + moveX * down[2], eye * moveX],
            [eye * across[1] + moveY * across[2], eye * down[1] + moveY * down[2], eye * moveY],
            [across[2], down[2], eye],
        ]
        let inverse = Self.inverted(rows)
        // Convert positions to picture heights from the middle, and back.
        let before = [[aspect, 0, -0.5 * aspect], [0, 1, -0.5], [0, 0, 1]]
        let after = [[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]]
        let whole = Self.product(after, Self.product(inverse, before))
        return (0..<3).flatMap { column in whole.map { $0[column] } }
    }

    private static func product(_ one: [[Double]], _ other: [[Double]]) -> [[Double]] {
        one.map { row in (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * other[$1][column] } } }
    }

    private static func inverted(_ m: [[Double]]) -> [[Double]] {
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let (a, b) = ((row + 1) % 3, (row + 2) % 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return m[a][c] * m[b][d] - m[a][d] * m[b][c]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * cofactor(0, $1) }
        let safe = abs(determinant) < 1e-12 ? 1e-12 : determinant
        return (0..<3).map { row in (0..<3).map { column in cofactor(column, row) / safe } }
    }
}
