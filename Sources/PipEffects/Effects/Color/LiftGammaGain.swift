internal import Glibc

/// Grades shadows, midtones and highlights separately.
///
/// Source: Movit, "lift/gamma/gain"; here (gain · (x + lift · (1 - x)))^(1/gamma), where x is a component of R'G'B'.
public struct LiftGammaGain: Effect {
    public static let name = "lift-gamma-gain"
    public static let summary = "grades shadows, middle and highlights"
    public static var parameters: [EffectParameter<LiftGammaGain>] {
        [
            EffectParameter(
                "lift", \.lift, count: 3...3, in: -1...1, neutral: [0, 0, 0],
                "the shifts of black in red, green and blue"),
            EffectParameter(
                "gamma", \.gamma, count: 3...3, in: 0.1...10, neutral: [1, 1, 1], "above 1 lightens the middle"),
            EffectParameter(
                "gain", \.gain, count: 3...3, in: 0...8, neutral: [1, 1, 1],
                "the factors on white in red, green and blue"),
        ]
    }

    /// The amounts added to black before ``gain`` and ``gamma``, for red, green and blue; 0 changes nothing.
    public var lift: [Float] = [0, 0.05, 0.2]
    /// The inverses of the exponents, for red, green and blue: above 1 lightens the midtones, 1 changes nothing.
    public var gamma: [Float] = [1, 1, 1]
    /// The factors after ``lift`` and before ``gamma``, for red, green and blue; 1 changes nothing.
    public var gain: [Float] = [1, 1, 1]

    public init() {}
    public init(lift: [Float] = [0, 0, 0], gamma: [Float] = [1, 1, 1], gain: [Float] = [1, 1, 1]) {
        self.lift = lift
        self.gamma = gamma
        self.gain = gain
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        guard lift.count == 3, gamma.count == 3, gain.count == 3 else { return .none }
        if lift == [0, 0, 0] && gamma == [1, 1, 1] && gain == [1, 1, 1] { return .none }
        if gamma == [1, 1, 1] {
            // Without gamma, the curve is an affine map, which the planner folds with its neighbours.
            let factors = zip(lift, gain).map { Double($1) * (1 - Double($0)) }
            let rows = (0..<3).map { row in (0..<3).map { $0 == row ? factors[row] : 0 } }
            return .affine(ColorTransform(rows: rows, offset: zip(lift, gain).map { Double($1) * Double($0) }))
        }
        func column(_ index: Int) -> Curve.Function {
            let (lift, gain, exponent) = (Double(lift[index]), Double(gain[index]), 1 / Double(gamma[index]))
            return { pow(max(gain * ($0 + lift * (1 - $0)), 0), exponent) }
        }
        return .curve(
            Curve(label: "lift \(lift) gamma \(gamma) gain \(gain)", red: column(0), green: column(1), blue: column(2)))
    }
}
