internal import PipFrames
internal import PipSources

/// A point among circles: an acceleration to the sides, and forwards and backwards.
struct MeterFace: GaugeFace {
    private let right: SignedName
    private let up: SignedName
    private let reach: Double
    private let color: Color
    /// The point's place in hundredths of the reach; nil while a value is missing.
    private var shown: SIMD2<Int>?
    /// The size in tenths of the unit, for the number.
    private var tenths: Int?

    init(right: String, up: String, reach: Double, color: Color) {
        (self.right, self.up, self.reach, self.color) = (SignedName(right), SignedName(up), reach, color)
    }

    func drawGround(on canvas: GaugeCanvas) throws(SourceError) {
        let (center, radius) = (canvas.center, Double(canvas.size) / 2 - 1)
        canvas.fill(GaugeInk.ground) { $0.addDisc(at: center, radius: radius) }
        let thin = max(1, radius * 0.02)
        canvas.fill(GaugeInk.faint) { path in
            path.addLine(through: [center - SIMD2(radius * 0.9, 0), center + SIMD2(radius * 0.9, 0)], width: thin)
            path.addLine(through: [center - SIMD2(0, radius * 0.9), center + SIMD2(0, radius * 0.9)], width: thin)
        }
        for share in [0.5, 1] {
            canvas.fill(GaugeInk.mark) {
                $0.addRing(around: center, radii: radius * 0.9 * share - thin...radius * 0.9 * share)
            }
        }
    }

    mutating func take(_ readings: Telemetry.Readings, at now: Timestamp) -> Bool {
        let before = (shown, tenths)
        (shown, tenths) = (nil, nil)
        if let x = right.value(in: readings, at: now), let y = up.value(in: readings, at: now) {
            let limit = 1e6 * reach
            let part = SIMD2(x, -y).clamped(lowerBound: SIMD2(repeating: -limit), upperBound: SIMD2(repeating: limit))
            let length = (part * part).sum().squareRoot()
            // Beyond the largest circle, the point stays on it.
            let point = part * (100 / max(reach, length))
            shown = SIMD2(Int(point.x.rounded()), Int(point.y.rounded()))
            tenths = Int((min(length, 1e9) * 10).rounded())
        }
        return before != (shown, tenths)
    }

    func draw(on canvas: GaugeCanvas) throws(SourceError) {
        let (center, radius) = (canvas.center, Double(canvas.size) / 2 - 1)
        if let shown {
            let point = center + SIMD2<Double>(shown) / 100 * (radius * 0.9)
            canvas.fill(color) { $0.addLine(through: [center, point], width: max(2, radius * 0.05)) }
            canvas.fill(GaugeInk.mark) { $0.addDisc(at: point, radius: radius * 0.12) }
            canvas.fill(color) { $0.addDisc(at: point, radius: radius * 0.09) }
        }
        let text = tenths.map { "\($0 / 10).\($0 % 10)" } ?? "–"
        try canvas.write(text, size: radius * 0.24, at: center + SIMD2(radius * 0.6, radius * 0.6) * 0.75)
    }
}
