internal import PipEffects
internal import PipFrames

/// How small differences grow on their way through a chain.
///
/// Drawing fused may round where drawing each effect by itself does not: planes that are filtered as they are, curves that are drawn as polynomials. Nobody
/// sees that, unless what follows makes the differences large.
extension EffectOperation {
    /// By how much a small difference in what it reads may grow; infinite where there is no limit, or none is known.
    var steepness: Double {
        switch self {
        case .none, .gaussian, .warp, .orientation, .crop, .shrink, .mean: 1
        case .affine(let transform):
            // Of luma and chroma, which is what is drawn for the most part.
            Colorimetry.bt709.rgbFromYCbCr.then(transform).then(Colorimetry.bt709.yCbCrFromRGB).steepness
        case .curve(let curve): curve.steepness
        case .separable(let weights): EffectOperation.kernel(weights, .across).steepness.squared
        case .kernel(let weights, _): weights.dropFirst().reduce(abs(weights.first ?? 1)) { $0 + 2 * abs($1) }
        case .pixel(let call): call.isSteep ? .infinity : 1
        case .neighbourhood, .sampler, .combine, .temporal, .tabulated, .table, .lanczos: .infinity
        case .sequence(let operations): operations.reduce(1) { $0 * $1.steepness }
        }
    }

    var isGaussian: Bool { if case .gaussian = self { true } else { false } }

    /// Whether it weighs pixels around by a kernel in both directions.
    var isFilter: Bool { if case .separable = self { true } else { isGaussian } }

    /// How far a quarter of a step may grow, by which curves are off, and still be less than a step.
    static let largestGrowth = 2.0
}

extension ChainStep {
    /// Whether what follows would show how it was rounded.
    var mustBeExact: Bool { growth > EffectOperation.largestGrowth }
}

extension ColorTransform {
    /// The most that a difference grows.
    var steepness: Double {
        rows.map { row in row.reduce(0) { $0 + abs($1) } }.max() ?? 1
    }
}

extension Curve {
    /// The most that it rises or falls from one of 256 values to the next.
    fileprivate var steepness: Double {
        (0..<columnCount).flatMap { column in
            (1..<256).map { code in
                255 * abs(self(Double(code) / 255, column: column) - self(Double(code - 1) / 255, column: column))
            }
        }.max() ?? 1
    }
}

extension Double {
    fileprivate var squared: Double { self * self }
}
