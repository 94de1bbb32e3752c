import Foundation
import PipEffects
import Testing

/// A kind of blend and its exact result in `Double`, from the published formula.
struct BlendReference: Sendable, CustomTestStringConvertible {
    let kind: BlendKind
    let function: @Sendable ([Double], [Double]) -> [Double]
    var testDescription: String { kind.rawValue }

    init(_ kind: BlendKind, whole function: @escaping @Sendable ([Double], [Double]) -> [Double]) {
        self.kind = kind
        self.function = function
    }

    init(_ kind: BlendKind, _ part: @escaping @Sendable (Double, Double) -> Double) {
        self.init(kind, whole: { zip($0, $1).map { part($0, $1) } })
    }

    /// All kinds that blend colours without changing alpha.
    static let all: [BlendReference] = simple + lights + wholeColors

    private static let simple: [BlendReference] = [
        BlendReference(.normal) { (_: Double, o: Double) -> Double in o },
        BlendReference(.add) { (b: Double, o: Double) -> Double in min(b + o, 1) },
        BlendReference(.subtract) { (b: Double, o: Double) -> Double in max(b - o, 0) },
        BlendReference(.multiply) { (b: Double, o: Double) -> Double in b * o },
        BlendReference(.divide) { (b: Double, o: Double) -> Double in o == 0 ? 1 : min(b / o, 1) },
        BlendReference(.screen) { (b: Double, o: Double) -> Double in 1 - (1 - b) * (1 - o) },
        BlendReference(.darken) { (b: Double, o: Double) -> Double in min(b, o) },
        BlendReference(.lighten) { (b: Double, o: Double) -> Double in max(b, o) },
        BlendReference(.difference) { (b: Double, o: Double) -> Double in abs(b - o) },
        BlendReference(.exclusion) { (b: Double, o: Double) -> Double in b + o - 2 * b * o },
        BlendReference(.linearBurn) { (b: Double, o: Double) -> Double in max(b + o - 1, 0) },
    ]

    private static func burn(_ b: Double, _ o: Double) -> Double {
        if b == 1 { return 1 }
        return o == 0 ? 0 : 1 - min(1, (1 - b) / o)
    }

    private static func dodge(_ b: Double, _ o: Double) -> Double {
        if b == 0 { return 0 }
        return o == 1 ? 1 : min(1, b / (1 - o))
    }

    private static func hardLight(_ b: Double, _ o: Double) -> Double {
        o < 0.5 ? 2 * b * o : 1 - 2 * (1 - b) * (1 - o)
    }

    private static let lights: [BlendReference] = [
        BlendReference(.overlay) { (b: Double, o: Double) -> Double in hardLight(o, b) },
        BlendReference(.hardLight) { (b: Double, o: Double) -> Double in hardLight(b, o) },
        BlendReference(.softLight) { (b: Double, o: Double) -> Double in
            o <= 0.5 ? b + (2 * o - 1) * (b - b * b) : b + (2 * o - 1) * (b.squareRoot() - b)
        },
        BlendReference(.softLightPegtop) { (b: Double, o: Double) -> Double in b * (b + 2 * o * (1 - b)) },
        BlendReference(.colorBurn) { (b: Double, o: Double) -> Double in burn(b, o) },
        BlendReference(.colorDodge) { (b: Double, o: Double) -> Double in dodge(b, o) },
        BlendReference(.vividLight) { (b: Double, o: Double) -> Double in o < 0.5 ? burn(b, 2 * o) : dodge(b, 2 * o - 1)
        },
        BlendReference(.linearLight) { (b: Double, o: Double) -> Double in min(max(b + 2 * o - 1, 0), 1) },
        BlendReference(.pinLight) { (b: Double, o: Double) -> Double in o < 0.5 ? min(b, 2 * o) : max(b, 2 * o - 1) },
        BlendReference(.hardMix) { (b: Double, o: Double) -> Double in b + o > 1 - 1e-6 ? 1 : 0 },
    ]

    private static func lum(_ c: [Double]) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }

    private static func sat(_ c: [Double]) -> Double { (c.max() ?? 0) - (c.min() ?? 0) }

    private static func setLum(_ c: [Double], _ l: Double) -> [Double] {
        var color = c.map { $0 + l - lum(c) }
        let own = lum(color)
        let (least, most) = (color.min() ?? 0, color.max() ?? 0)
        if least < 0 { color = color.map { own + ($0 - own) * own / (own - least) } }
        if most > 1 { color = color.map { own + ($0 - own) * (1 - own) / (most - own) } }
        return color
    }

    /// The function SetSat of the W3C's compositing standard, which sorts the components.
    private static func setSat(_ c: [Double], _ s: Double) -> [Double] {
        let order = [0, 1, 2].sorted { c[$0] < c[$1] }
        var result = [0.0, 0, 0]
        if c[order[2]] > c[order[0]] {
            result[order[1]] = (c[order[1]] - c[order[0]]) * s / (c[order[2]] - c[order[0]])
            result[order[2]] = s
        }
        return result
    }

    private static let wholeColors: [BlendReference] = [
        BlendReference(.darkerColor, whole: { lum($1) < lum($0) ? $1 : $0 }),
        BlendReference(.lighterColor, whole: { lum($1) > lum($0) ? $1 : $0 }),
        BlendReference(.hue, whole: { setLum(setSat($1, sat($0)), lum($0)) }),
        BlendReference(.saturation, whole: { setLum(setSat($0, sat($1)), lum($0)) }),
        BlendReference(.color, whole: { setLum($1, lum($0)) }),
        BlendReference(.luminosity, whole: { setLum($0, lum($1)) }),
    ]
}
