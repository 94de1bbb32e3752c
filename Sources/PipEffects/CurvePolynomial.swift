internal import Glibc

/// An approximation of a curve by a polynomial, which costs a software renderer less than a table.
///
/// The polynomial's variable is the argument or its square root, mapped from 0…1 to -1…1 to keep the coefficients
/// small.
package struct CurvePolynomial: Sendable, Hashable {
    /// True for a polynomial of the argument's square root, which can follow curves that are steep near black.
    package let takesRoot: Bool
    /// The coefficients of each column's polynomial, the lowest power first.
    package let coefficients: [[Float]]

    package var degree: Int { coefficients[0].count - 1 }

    /// The largest allowed error, which is invisible: a quarter of an 8-bit step.
    private static let tolerance = 1.0 / 1020

    /// The degrees to try, from the cheapest polynomial on.
    ///
    /// A vector of square roots takes a processor about as long as one and a half further powers.
    private static let degrees =
        ((2...16).map { (degree: $0, takesRoot: false, cost: Double($0)) }
        + (2...16).map { (degree: $0, takesRoot: true, cost: Double($0) + 1.5) }).sorted { $0.cost < $1.cost }

    /// Finds the cheapest polynomial whose error is within the tolerance at all check positions.
    ///
    /// Nil when none of these polynomials is that close, for example for a curve with a large jump.
    package init?(_ curve: Curve) {
        let samples = CurveSamples(curve)
        for (degree, takesRoot, _) in Self.degrees {
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

    /// Evaluates the polynomial as the shader does, in single precision.
    func callAsFunction(_ value: Float, column: Int) -> Float {
        let x = (takesRoot ? value.squareRoot() : value) * 2 - 1
        return coefficients[column].reversed().reduce(0) { $0 * x + $1 }
    }

    /// The coefficients of the Chebyshev polynomials on 0…1 whose sum approximates `values`, given at the Chebyshev
    /// nodes.
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

    /// Converts coefficients of Chebyshev polynomials to coefficients of powers.
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

/// A curve's values at the nodes that give a polynomial, and at the positions that check the polynomial.
private struct CurveSamples {
    struct Column {
        /// The curve's values at the Chebyshev nodes.
        var overValue: [Double]
        /// The curve's values at the squares of the Chebyshev nodes.
        var overRoot: [Double]
        /// The check positions, 0…1 and denser near black, with the curve's values there.
        var checks: [(place: Double, value: Double)]
    }

    let columns: [Column]
    private static let nodeCount = 48
    /// The number of intervals between evenly spaced check positions.
    ///
    /// The number is a prime, so that the positions do not coincide with the levels of a posterised curve.
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
