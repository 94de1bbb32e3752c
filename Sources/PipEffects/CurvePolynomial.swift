internal import Glibc

/// A curve as a polynomial of its argument or of the argument's square root, which costs a software renderer less than
/// a table.
///
/// Its variable runs from -1 to 1 for 0…1, which keeps its coefficients small.
package struct CurvePolynomial: Sendable, Hashable {
    /// True for a polynomial of the argument's square root, which can be steep near black.
    package let takesRoot: Bool
    /// The coefficients of each column, the lowest power first.
    package let coefficients: [[Float]]

    package var degree: Int { coefficients[0].count - 1 }

    /// The largest invisible error: a quarter of a step of 8 bits.
    private static let tolerance = 1.0 / 1020

    /// The cheapest polynomial that is exact enough everywhere.
    ///
    /// Nil where there is none, such as for curves with corners and jumps.
    package init?(_ curve: Curve) {
        let samples = CurveSamples(curve)
        for (degree, takesRoot) in [4, 8, 12, 16].flatMap({ [($0, false), ($0, true)] }) {
            let columns = samples.columns.map { column in
                Self.powers(Self.chebyshev(takesRoot ? column.overRoot : column.overValue, degree: degree))
            }
            let candidate = CurvePolynomial(takesRoot: takesRoot, coefficients: columns)
            let isNear = samples.columns.indices.allSatisfy { index in
                samples.columns[index].checks.allSatisfy { place, value in
                    abs(Double(candidate(Float(place), column: index)) - value) <= Self.tolerance
                }
            }
            if isNear {
                self = candidate
                return
            }
        }
        return nil
    }

    private init(takesRoot: Bool, coefficients: [[Float]]) {
        self.takesRoot = takesRoot
        self.coefficients = coefficients
    }

    /// The value that the shader computes, in its precision.
    func callAsFunction(_ value: Float, column: Int) -> Float {
        let x = (takesRoot ? value.squareRoot() : value) * 2 - 1
        return coefficients[column].reversed().reduce(0) { $0 * x + $1 }
    }

    /// The coefficients of Chebyshev polynomials on 0…1 that interpolate values at `CurveSamples.nodes`.
    ///
    /// Source: L. N. Trefethen, "Approximation Theory and Approximation Practice", chapter 3.
    private static func chebyshev(_ values: [Double], degree: Int) -> [Double] {
        let count = values.count
        return (0...degree).map { order in
            let sum = values.enumerated().reduce(0) { sum, entry in
                sum + entry.element * cos(Double(order) * .pi * (Double(entry.offset) + 0.5) / Double(count))
            }
            return sum * (order == 0 ? 1 : 2) / Double(count)
        }
    }

    /// The coefficients of the same polynomial in powers of its variable.
    private static func powers(_ chebyshev: [Double]) -> [Float] {
        // T(n + 1) = 2x T(n) - T(n - 1).
        var before = [1.0]
        var current = [0.0, 1.0]
        var sum = [Double](repeating: 0, count: chebyshev.count)
        sum[0] = chebyshev[0]
        for order in 1..<chebyshev.count {
            for (power, part) in current.enumerated() { sum[power] += chebyshev[order] * part }
            var next = [Double](repeating: 0, count: current.count + 1)
            for (power, part) in current.enumerated() { next[power + 1] += 2 * part }
            for (power, part) in before.enumerated() { next[power] -= part }
            (before, current) = (current, next)
        }
        return sum.map { Float($0) }
    }
}

/// A curve's values for finding and checking a polynomial.
private struct CurveSamples {
    struct Column {
        /// The values at Chebyshev's nodes.
        var overValue: [Double]
        /// The values at the squares of Chebyshev's nodes.
        var overRoot: [Double]
        /// Positions 0…1, closer together near black, with the values there.
        var checks: [(place: Double, value: Double)]
    }

    let columns: [Column]
    private static let nodeCount = 48
    /// The number of checks.
    ///
    /// It is prime, so that positions do not coincide with the levels of a posterised curve.
    private static let checkCount = 509

    init(_ curve: Curve) {
        let nodes = (0..<Self.nodeCount).map { (index: Int) -> Double in
            let angle: Double = .pi * (Double(index) + 0.5) / Double(Self.nodeCount)
            return 0.5 + 0.5 * cos(angle)
        }
        let even = (0...Self.checkCount).map { (index: Int) -> Double in Double(index) / Double(Self.checkCount) }
        let places = even + even.map { $0 * $0 }
        columns = (0..<curve.columnCount).map { column in
            Column(
                overValue: nodes.map { curve($0, column: column) },
                overRoot: nodes.map { curve($0 * $0, column: column) },
                checks: places.map { ($0, curve($0, column: column)) })
        }
    }
}
