internal import PipEffects
internal import PipFrames

/// Error propagation through a chain.
///
/// A fused plan rounds where an unfused plan does not: it filters planes directly and draws curves as polynomials. The
/// difference is invisible, unless later steps amplify it.
extension OperationTraits.Growth {
    /// The largest factor by which a small difference in the input may grow.
    ///
    /// Infinite when there is no known bound.
    var limit: Double {
        switch self {
        case .unbounded: .infinity
        case .factor(let factor): factor
        case .ofTransform(let transform):
            // The growth is measured in Y'CbCr of BT.709, whatever the image's colorimetry.
            Colorimetry.bt709.rgbFromYCbCr.then(transform).then(Colorimetry.bt709.yCbCrFromRGB).largestGrowth
        case .ofCurve(let curve): curve.largestGrowth
        case .product(let operations): operations.reduce(1) { $0 * $1.traits.growth.limit }
        }
    }
}

extension ChainStep {
    /// The largest growth at which the error of a polynomial curve, a quarter of an 8-bit step, stays invisible.
    private static let largestGrowth = 2.0

    /// True when the following steps may amplify this step's rounding to a visible error.
    var mustBeExact: Bool { growth > Self.largestGrowth }
}

extension ColorTransform {
    /// The largest factor by which the transform may amplify an error of a component.
    var largestGrowth: Double {
        rows.map { row in row.reduce(0) { $0 + abs($1) } }.max() ?? 1
    }
}

extension Curve {
    /// The curve's steepest slope between neighbouring 8-bit values.
    fileprivate var largestGrowth: Double {
        guard columnCount > 0 else { return 1 }
        var largest = 0.0
        for column in 0..<columnCount {
            var last = self(0, column: column)
            for code in 1..<256 {
                let value = self(Double(code) / 255, column: column)
                largest = max(largest, 255 * abs(value - last))
                last = value
            }
        }
        return largest
    }
}
