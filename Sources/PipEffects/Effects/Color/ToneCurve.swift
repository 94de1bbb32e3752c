/// Applies a tone curve to each of red, green and blue, and then one to all of them.
///
/// Source: GPUImage, `GPUImageToneCurveFilter`: natural cubic splines through given points. A curve is constant beyond
/// its first and last point.
public struct ToneCurve: Effect {
    public static let name = "tone-curve"
    public static let summary = "bends colours along curves through points"
    public static var parameters: [EffectParameter<ToneCurve>] {
        [
            EffectParameter(
                "all", \.all, count: pointCounts, neutral: straight,
                "the curve of all components, after their own curves"),
            EffectParameter("red", \.red, count: pointCounts, neutral: straight, "the curve of red"),
            EffectParameter("green", \.green, count: pointCounts, neutral: straight, "the curve of green"),
            EffectParameter("blue", \.blue, count: pointCounts, neutral: straight, "the curve of blue"),
            EffectParameter(
                "file", path: { $0.path }, isRequired: false,
                "a Photoshop curves file (.acv), which sets all four curves"
            ) {
                path, effect throws(FileProblem) in
                let curves = try CurveFile(path).curves
                (effect.all, effect.red, effect.green, effect.blue) = (curves[0], curves[1], curves[2], curves[3])
                effect.path = path
            },
        ]
    }

    /// The allowed numbers of points in a curve.
    static let pointCounts = 2...19
    static let straight = [ControlPoint(0, 0), ControlPoint(0.5, 0.5), ControlPoint(1, 1)]

    /// The curve that is applied to all components, after the components' own curves.
    ///
    /// By default, an S that raises contrast.
    public var all = [ControlPoint(0, 0), ControlPoint(0.25, 0.15), ControlPoint(0.75, 0.85), ControlPoint(1, 1)]
    /// The curve of red, applied before ``all``.
    public var red = straight
    /// The curve of green, applied before ``all``.
    public var green = straight
    /// The curve of blue, applied before ``all``.
    public var blue = straight
    private var path = ""

    public init() {}
    public init(_ all: [ControlPoint]) { self.all = all }

    /// Reads the curves of a Photoshop curves file (`.acv`).
    ///
    /// - Throws: ``EffectError`` when the file cannot be read, or is not a valid curves file. The message names the
    ///   wrong
    ///   byte, if there is one.
    public init(path: String) throws(EffectError) {
        try Self.parameters[4].set(.file(path), in: &self, of: Self.name)
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let points = [red, green, blue, all]
        let splines = points.map { points in
            points.allSatisfy { $0.x == $0.y } && points.first?.x == 0 && points.last?.x == 1
                ? nil : Spline(through: points)
        }
        if splines.allSatisfy({ $0 == nil }) { return .none }
        let label = points.map { "\(ParameterValue.points($0))" }.joined(separator: ", ")
        func column(_ index: Int) -> Curve.Function {
            let (own, all) = (splines[index], splines[3])
            return { value in
                let bent = own?(value) ?? value
                return all?(bent) ?? bent
            }
        }
        if splines[..<3].allSatisfy({ $0 == nil }) { return .curve(Curve(label: "tones \(label)", column(0))) }
        return .curve(Curve(label: "tones \(label)", red: column(0), green: column(1), blue: column(2)))
    }
}

/// A natural cubic spline with values limited to 0…1, constant beyond its ends.
///
/// Source: W. H. Press et al., "Numerical Recipes", 3.3.
struct Spline: Sendable, Hashable {
    private let x: [Double]
    private let y: [Double]
    /// The second derivatives at the points.
    private var bend: [Double]

    init(through points: [ControlPoint]) {
        x = points.map { Double($0.x) }
        y = points.map { Double($0.y) }
        bend = Array(repeating: 0, count: points.count)
        guard points.count > 2 else { return }
        // Forward elimination and back substitution solve the tridiagonal system of the second derivatives.
        var rest = bend
        for i in 1..<points.count - 1 {
            let share = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1])
            let pivot = share * bend[i - 1] + 2
            let kink = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1])
            bend[i] = (share - 1) / pivot
            rest[i] = (6 * kink / (x[i + 1] - x[i - 1]) - share * rest[i - 1]) / pivot
        }
        for i in (1..<points.count - 1).reversed() { bend[i] = bend[i] * bend[i + 1] + rest[i] }
    }

    func callAsFunction(_ value: Double) -> Double {
        guard let first = x.first, let last = x.last else { return value }
        let place = min(max(value, first), last)
        let after = max(x.firstIndex { $0 >= place } ?? x.count - 1, 1)
        guard after < x.count else { return y[0] }
        let width = x[after] - x[after - 1]
        let left = (x[after] - place) / width
        let right = 1 - left
        let cubic = (left * left * left - left) * bend[after - 1] + (right * right * right - right) * bend[after]
        return min(max(left * y[after - 1] + right * y[after] + cubic * width * width / 6, 0), 1)
    }
}
