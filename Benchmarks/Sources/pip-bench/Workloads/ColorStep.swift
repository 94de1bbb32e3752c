import Foundation

/// A change of colour, which each program expresses in its own syntax.
enum ColorStep: Sendable, Equatable {
    case brightness(Double)
    case contrast(Double)
    case saturation(Double)
    /// A rotation of hue. Units: degrees.
    case hue(Double)
    case sepia(Double)
    /// A gamma correction with an exponent.
    case gamma(Double)
    /// A change of exposure. Units: stops.
    case exposure(Double)
    case vibrance(Double)
    /// A curve for all channels, given by its values at 0, ¼, ½, ¾ and 1.
    case curve([Double])
    /// The amount that is added to red and subtracted from blue in the shadows.
    case balance(Double)
    case vignette(Double)

    /// The name of pip-compose's effect.
    var effect: String {
        switch self {
        case .brightness: "brightness"
        case .contrast: "contrast"
        case .saturation: "saturation"
        case .hue: "hue"
        case .sepia: "sepia"
        case .gamma: "gamma"
        case .exposure: "exposure"
        case .vibrance: "vibrance"
        case .curve: "tone-curve"
        case .balance: "lift-gamma-gain"
        case .vignette: "vignette"
        }
    }

    /// The step as pip-compose's command line takes it.
    var argument: String {
        switch self {
        case .brightness(let value), .contrast(let value), .saturation(let value), .hue(let value), .sepia(let value),
            .gamma(let value), .exposure(let value), .vibrance(let value), .vignette(let value):
            "\(effect)=\(value)"
        case .curve(let values):
            "\(effect)='"
                + values.enumerated().map { "\(Double($0) / Double(values.count - 1))/\($1)" }
                .joined(separator: " ") + "'"
        case .balance(let value): "\(effect)='\(value) 0 \(-value)':'1 1 1':'1 1 1'"
        }
    }

    /// The step as GLSL statements on `vec3 c`, the colour, and `vec2 p`, the position from 0 to 1.
    var glsl: String {
        switch self {
        case .brightness(let value): "c += \(value);"
        case .contrast(let value): "c = (c - 0.5) * \(value) + 0.5;"
        case .saturation(let value): "c = mix(vec3(dot(c, vec3(0.2126, 0.7152, 0.0722))), c, \(value));"
        case .hue(let degrees): Self.hueMatrix(degrees)
        case .sepia(let value):
            "c = mix(c, vec3(dot(c, vec3(0.393, 0.769, 0.189)), dot(c, vec3(0.349, 0.686, 0.168)), "
                + "dot(c, vec3(0.272, 0.534, 0.131))), \(value));"
        case .gamma(let value): "c = pow(max(c, 0.0), vec3(\(value)));"
        case .exposure(let value): "c *= \(pow(2, value));"
        case .vibrance(let value):
            "{ float a = (c.r + c.g + c.b) / 3.0; float m = max(c.r, max(c.g, c.b)); c = mix(c, vec3(m), (m - a) * \(-3 * value)); }"
        case .curve(let values):
            // pip-compose's curve is a cubic through the points. A mix with `smoothstep` looks the same, and is cheaper
            // than a table.
            "c = clamp(c, 0.0, 1.0); c = mix(c, c * c * (3.0 - 2.0 * c), \((0.25 - values[1]) / 0.09375));"
        case .balance(let value): "c += vec3(\(value), 0.0, \(-value)) * (1.0 - c);"
        case .vignette(let value): "c *= 1.0 - \(value) * smoothstep(0.3, 0.75, distance(p, vec2(0.5)));"
        }
    }

    /// Applies the step to a colour, for a lookup table; nil for a step that depends on the position.
    func apply(to c: SIMD3<Double>) -> SIMD3<Double>? {
        switch self {
        case .brightness(let value): return c + value
        case .contrast(let value): return (c - 0.5) * value + 0.5
        case .saturation(let value):
            let luma = 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z
            return luma + (c - luma) * value
        case .hue(let degrees):
            let rows = Self.hueRows(degrees)
            return SIMD3((rows[0] * c).sum(), (rows[1] * c).sum(), (rows[2] * c).sum())
        case .sepia(let value):
            let brown = SIMD3(
                0.393 * c.x + 0.769 * c.y + 0.189 * c.z, 0.349 * c.x + 0.686 * c.y + 0.168 * c.z,
                0.272 * c.x + 0.534 * c.y + 0.131 * c.z)
            return c + (brown - c) * value
        case .gamma(let value): return SIMD3(pow(max(c.x, 0), value), pow(max(c.y, 0), value), pow(max(c.z, 0), value))
        case .exposure(let value): return c * pow(2, value)
        case .vibrance(let value):
            let most = c.max()
            return c + (most - c) * ((most - c.sum() / 3) * -3 * value)
        case .curve(let values):
            let d = c.clamped(lowerBound: .zero, upperBound: .one)
            return d + (d * d * (3 - 2 * d) - d) * ((0.25 - values[1]) / 0.09375)
        case .balance(let value): return c + SIMD3(value, 0, -value) * (1 - c)
        case .vignette: return nil
        }
    }

    /// The rows of the matrix that rotates hue and keeps luma.
    ///
    /// Source: W3C Filter Effects Module Level 1, "hueRotate".
    private static func hueRows(_ degrees: Double) -> [SIMD3<Double>] {
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        return [
            SIMD3(0.213, 0.715, 0.072) + cosine * SIMD3(0.787, -0.715, -0.072) + sine * SIMD3(-0.213, -0.715, 0.928),
            SIMD3(0.213, 0.715, 0.072) + cosine * SIMD3(-0.213, 0.285, -0.072) + sine * SIMD3(0.143, 0.140, -0.283),
            SIMD3(0.213, 0.715, 0.072) + cosine * SIMD3(-0.213, -0.715, 0.928) + sine * SIMD3(-0.787, 0.715, 0.072),
        ]
    }

    private static func hueMatrix(_ degrees: Double) -> String {
        let dots = hueRows(degrees).map { "dot(c, vec3(\($0.x), \($0.y), \($0.z)))" }
        return "c = vec3(\(dots.joined(separator: ", ")));"
    }
}

extension [ColorStep] {
    /// The steps as the value of pip-compose's `--effect`.
    var chain: String { map(\.argument).joined(separator: ",") }

    /// The names of pip-compose's effects for the steps.
    var effects: [String] { map(\.effect) }
}
