import Foundation
import Testing

@testable import PipEffects

@Suite("Curves")
struct CurveTests {
    private func largestError(_ polynomial: CurvePolynomial, _ curve: Curve) -> Double {
        (0...4096).reduce(0) { largest, step in
            let value = pow(Double(step) / 4096, 1.7)
            return (0..<curve.columnCount).reduce(largest) { largest, column in
                max(largest, abs(Double(polynomial(Float(value), column: column)) - curve(value, column: column)))
            }
        }
    }

    @Test("a smooth curve is a polynomial within a quarter of a step", arguments: [0.5, 0.6, 0.8, 1.2, 2.2, 3, 5])
    func smoothCurves(exponent: Double) throws {
        let curve = Curve(label: "gamma") { pow($0, exponent) }
        let polynomial = try #require(CurvePolynomial(curve))
        #expect(largestError(polynomial, curve) < 1.1 / 1020)
    }

    @Test("a simple curve is a cheap polynomial")
    func cheapCurves() throws {
        let square = try #require(CurvePolynomial(Curve(label: "square") { $0 * $0 }))
        #expect(square.degree == 2 && !square.takesRoot)
        let root = try #require(CurvePolynomial(Curve(label: "root") { $0.squareRoot() }))
        #expect(root.degree == 2 && root.takesRoot)
    }

    @Test("steps, corners and steep starts are no polynomials")
    func brokenCurves() {
        #expect(CurvePolynomial(Curve(label: "levels") { ($0 * 4 + 0.5).rounded(.down) / 4 }) == nil)
        #expect(CurvePolynomial(Curve(label: "fine levels") { ($0 * 256 + 0.5).rounded(.down) / 256 }) == nil)
        #expect(CurvePolynomial(Curve(label: "solarize") { $0 < 0.5 ? $0 : 1 - $0 }) == nil)
        #expect(CurvePolynomial(Curve(label: "steep") { pow($0, 0.2) }) == nil)
        #expect(
            CurvePolynomial(Curve(label: "one column", red: { $0 }, green: { $0 }, blue: { $0 < 0.5 ? 0 : 1 })) == nil)
    }

    @Test("curves in a row are one curve, column by column")
    func composition() {
        let first = Curve(label: "a", red: { $0 }, green: { $0 * $0 }, blue: { 1 - $0 })
        let second = Curve(label: "b") { $0 / 2 }
        let both = first.then(second)
        #expect(both.columnCount == 3 && both.label == "a, b")
        #expect((0..<3).map { both(0.6, column: $0) } == [0.3, 0.18, 0.2])
        let other = second.then(first)
        #expect((0..<3).map { other(0.6, column: $0) } == [0.3, 0.09, 0.7])
        #expect(second.then(second).columnCount == 1)
    }

    @Test("a table has a row for each column that differs, and ends in the last value")
    func table() throws {
        let curve = Curve(label: "a", red: { $0 }, green: { $0 * $0 }, blue: { 1 - $0 })
        let texels = try #require(curve.table.texels)
        #expect(texels.count == 1024 * 3 * 8)
        let floats = unsafe texels.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
        #expect(floats[2 * 1023] == 1 && floats[2 * 1024] == 0 && floats[2 * 2048] == 1 && floats[2 * 3071] == 0)
        #expect(floats[2 * 1023 + 1] == 0)
    }
}
