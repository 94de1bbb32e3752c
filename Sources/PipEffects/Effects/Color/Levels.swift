internal import Glibc

/// Stretches each component between a black and a white point, adjusts midtones, and sets the output values of black
/// and white.
///
/// Source: GPUImage, `GPUImageLevelsFilter`; Adobe Photoshop's "Levels".
public struct Levels: Effect {
    public static let name = "levels"
    public static let summary = "stretches values between a black and a white point"
    public static var parameters: [EffectParameter<Levels>] {
        let forOne = "min, mid, max, min-out and max-out of this component, applied before the common ones"
        return [
            EffectParameter("min", \.all.low, in: 0...1, neutral: 0, "the value that becomes black"),
            EffectParameter("mid", \.all.middle, in: 0.05...10, neutral: 1, "above 1 lightens the middle"),
            EffectParameter("max", \.all.high, in: 0...1, neutral: 1, "the value that becomes white"),
            EffectParameter("min-out", \.all.lowOut, in: 0...1, neutral: 0, "the output value of black"),
            EffectParameter("max-out", \.all.highOut, in: 0...1, neutral: 1, "the output value of white"),
            EffectParameter("red", \.red.numbers, count: 5...5, in: 0...10, neutral: [0, 1, 1, 0, 1], forOne),
            EffectParameter("green", \.green.numbers, count: 5...5, in: 0...10, neutral: [0, 1, 1, 0, 1], forOne),
            EffectParameter("blue", \.blue.numbers, count: 5...5, in: 0...10, neutral: [0, 1, 1, 0, 1], forOne),
        ]
    }

    /// The levels of one component, or of all components.
    public struct Range: Sendable, Hashable {
        /// The input value that becomes ``lowOut``, 0…1.
        public var low: Float = 0
        /// The inverse of the exponent: above 1 lightens the midtones.
        public var middle: Float = 1
        /// The input value that becomes ``highOut``, 0…1.
        public var high: Float = 1
        /// The output value of ``low``, 0…1.
        public var lowOut: Float = 0
        /// The output value of ``high``, 0…1.
        public var highOut: Float = 1

        public init(low: Float = 0, middle: Float = 1, high: Float = 1, lowOut: Float = 0, highOut: Float = 1) {
            self.low = low
            self.middle = middle
            self.high = high
            self.lowOut = lowOut
            self.highOut = highOut
        }

        /// The five levels in the order of the parameters.
        var numbers: [Float] {
            get { [low, middle, high, lowOut, highOut] }
            set {
                guard newValue.count == 5 else { return }
                self = Range(
                    low: newValue[0], middle: newValue[1], high: newValue[2], lowOut: newValue[3], highOut: newValue[4])
            }
        }

        func callAsFunction(_ value: Double) -> Double {
            let share = (value - Double(low)) / max(Double(high - low), 1.0 / 1024)
            let bent = pow(min(max(share, 0), 1), 1 / max(Double(middle), 0.05))
            return Double(lowOut) + bent * Double(highOut - lowOut)
        }
    }

    /// The levels that are applied to all components, after the components' own levels.
    public var all = Range(low: 0.1, high: 0.9)
    /// The levels of red, applied before ``all``.
    public var red = Range()
    /// The levels of green, applied before ``all``.
    public var green = Range()
    /// The levels of blue, applied before ``all``.
    public var blue = Range()

    public init() {}
    public init(_ all: Range) { self.all = all }
    public init(red: Range, green: Range, blue: Range) {
        all = Range()
        self.red = red
        self.green = green
        self.blue = blue
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let columns = [red, green, blue]
        let all = all
        let label = "levels \((columns + [all]).map { $0.numbers.map { "\($0)" }.joined(separator: " ") })"
        if columns.allSatisfy({ $0 == Range() }) {
            return all == Range() ? .none : .curve(Curve(label: label) { all($0) })
        }
        func column(_ own: Range) -> Curve.Function { { all(own($0)) } }
        return .curve(Curve(label: label, red: column(red), green: column(green), blue: column(blue)))
    }
}
