import PipGraph
import Testing

@Suite("Easings")
struct EasingTests {
    @Test("easings begin at 0 and end at 1, and never decrease", arguments: Easing.allCases)
    func ends(easing: Easing) {
        #expect(easing.progress(at: 0) == 0 && easing.progress(at: 1) == 1)
        #expect(easing.progress(at: -1) == 0 && easing.progress(at: 2) == 1)
        let values = (0...100).map { easing.progress(at: Double($0) / 100) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(
        "easings are the curves of CSS",
        arguments: [
            (Easing.easeIn, 0.42, 0.0, 1.0, 1.0), (.easeOut, 0, 0, 0.58, 1), (.easeInOut, 0.42, 0, 0.58, 1),
            (.linear, 0.25, 0.25, 0.75, 0.75),
        ])
    func curves(easing: Easing, x1: Double, y1: Double, x2: Double, y2: Double) {
        // Bernstein polynomials give the expected x and y for each value of the curve's parameter.
        for step in 0...50 {
            let t = Double(step) / 50
            let (first, second, third) = (3 * t * (1 - t) * (1 - t), 3 * t * t * (1 - t), t * t * t)
            let (x, y) = (first * x1 + second * x2 + third, first * y1 + second * y2 + third)
            #expect(abs(easing.progress(at: x) - y) < 1e-9, "\(t)")
        }
    }
}
