internal import Glibc
internal import PipFrames
internal import PipSources

/// A round scale with marks, an arc up to the value, and the number in the middle.
struct DialFace: GaugeFace {
    /// The angles of the scale's ends, from the top.
    private static let angles = -0.75 * Double.pi...0.75 * Double.pi
    /// The largest number of steps between the scale's numbers.
    private static let mostSteps = 8

    private let name: String
    private let range: ClosedRange<Double>
    private let unit: String
    private let color: Color
    private let step: Double
    /// The share of the scale in thousandths, and the number; nil while there is no value.
    private var shown: Shown?

    private struct Shown: Equatable {
        let share: Int
        let text: String
    }

    init(_ name: String, _ range: ClosedRange<Double>, unit: String, color: Color) {
        (self.name, self.range, self.unit, self.color) = (name, range, unit, color)
        step = Self.step(over: range)
    }

    /// The distance of the scale's numbers: 1, 2 or 5 times a power of ten.
    private static func step(over range: ClosedRange<Double>) -> Double {
        let least = (range.upperBound - range.lowerBound) / Double(mostSteps)
        let power = pow(10, log10(least).rounded(.down))
        return ([1, 2, 5].first { $0 * power >= least * 0.999 } ?? 10) * power
    }

    /// The numbers at the scale.
    var numbers: [Double] {
        let first = (range.lowerBound / step).rounded(.up)
        let last = (range.upperBound / step + 1e-9).rounded(.down)
        return first <= last ? stride(from: first, through: last, by: 1).map { $0 * step } : []
    }

    private func angle(_ share: Double) -> Double {
        Self.angles.lowerBound + (Self.angles.upperBound - Self.angles.lowerBound) * share
    }

    private func share(of value: Double) -> Double {
        min(max((value - range.lowerBound) / (range.upperBound - range.lowerBound), 0), 1)
    }

    /// A number with as many decimals as the scale's step has.
    private func text(of number: Double) -> String {
        let decimals = max(0, Int(-log10(step).rounded(.down)))
        return NumberFormat("%.\(min(decimals, 6))f")?.text(number) ?? "\(number)"
    }

    func drawGround(on canvas: GaugeCanvas) throws(SourceError) {
        let (center, radius) = (canvas.center, Double(canvas.size) / 2 - 1)
        canvas.fill(GaugeInk.ground) { $0.addDisc(at: center, radius: radius) }
        canvas.fill(GaugeInk.faint) {
            $0.addRing(
                around: center, radii: radius * 0.84...radius * 0.94, from: Self.angles.lowerBound,
                to: Self.angles.upperBound)
        }
        canvas.fill(GaugeInk.mark) { path in
            for number in numbers {
                let angle = angle(share(of: number))
                path.addLine(
                    through: [0.8, 0.94].map { VectorPath.point(around: center, radius: radius * $0, at: angle) },
                    width: max(1, radius * 0.02))
            }
        }
        for number in numbers {
            let point = VectorPath.point(around: center, radius: radius * 0.67, at: angle(share(of: number)))
            try canvas.write(text(of: number), size: radius * 0.16, at: point)
        }
        if !unit.isEmpty { try canvas.write(unit, size: radius * 0.19, at: center + SIMD2(0, radius * 0.42)) }
    }

    mutating func take(_ readings: Telemetry.Readings, at now: Timestamp) -> Bool {
        let next = readings.number(name, at: now).map {
            Shown(share: Int((share(of: $0) * 1000).rounded()), text: text(of: $0))
        }
        defer { shown = next }
        return next != shown
    }

    func draw(on canvas: GaugeCanvas) throws(SourceError) {
        let (center, radius) = (canvas.center, Double(canvas.size) / 2 - 1)
        if let shown {
            let end = angle(Double(shown.share) / 1000)
            canvas.fill(color) {
                $0.addRing(around: center, radii: radius * 0.84...radius * 0.94, from: Self.angles.lowerBound, to: end)
            }
            canvas.fill(color) {
                $0.addLine(
                    through: [0.76, 0.97].map { VectorPath.point(around: center, radius: radius * $0, at: end) },
                    width: max(2, radius * 0.05))
            }
        }
        try canvas.write(shown?.text ?? "–", size: radius * 0.46, at: center)
    }
}
