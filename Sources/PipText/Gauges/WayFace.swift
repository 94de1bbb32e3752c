internal import Glibc
internal import PipFrames
internal import PipSources

/// The way that a receiver has taken, as a line on a square, north up.
struct WayFace: GaugeFace {
    /// The largest number of places; beyond it, every second one is forgotten.
    static let mostPlaces = 768
    /// The distance between two places of the line, and the smallest width of the square.
    ///
    /// Units: metres.
    private static let (leastStep, leastWidth) = (3.0, 100.0)
    /// The number of metres in a degree of latitude.
    private static let degree = 111_320.0

    private let latitude: String
    private let longitude: String
    private let color: Color
    /// The places in metres east and south of the first one.
    private(set) var places: [SIMD2<Double>] = []
    private var origin: (latitude: Double, longitude: Double)?
    /// True while the receiver tells where it is.
    private var isPresent = false

    init(latitude: String, longitude: String, color: Color) {
        (self.latitude, self.longitude, self.color) = (latitude, longitude, color)
    }

    func drawGround(on canvas: GaugeCanvas) throws(SourceError) {
        let size = Double(canvas.size)
        canvas.fill(GaugeInk.ground) {
            let (edge, round) = (size * 0.08, size * 0.84)
            $0.addLine(
                through: [
                    SIMD2(edge, edge), SIMD2(edge + round, edge), SIMD2(edge + round, edge + round),
                    SIMD2(edge, edge + round), SIMD2(edge, edge),
                ], width: edge * 2 - 2)
            $0.addPolygon([
                SIMD2(edge, edge), SIMD2(edge + round, edge), SIMD2(edge + round, edge + round),
                SIMD2(edge, edge + round),
            ])
        }
        try canvas.write("N", size: size * 0.09, at: SIMD2(size * 0.5, size * 0.09))
    }

    mutating func take(_ readings: Telemetry.Readings, at now: Timestamp) -> Bool {
        guard let latitude = readings.number(latitude, at: now), let longitude = readings.number(longitude, at: now),
            abs(latitude) <= 90, abs(longitude) <= 180
        else {
            defer { isPresent = false }
            return isPresent
        }
        defer { isPresent = true }
        let origin = origin ?? (latitude, longitude)
        self.origin = origin
        let east = remainder(longitude - origin.longitude, 360) * cos(origin.latitude * .pi / 180)
        let place = SIMD2(east, origin.latitude - latitude) * Self.degree
        guard let last = places.last else {
            places = [place]
            return true
        }
        let step = place - last
        guard (step * step).sum().squareRoot() >= Self.leastStep else { return !isPresent }
        places.append(place)
        if places.count > Self.mostPlaces {
            places = places.enumerated().filter { $0.offset.isMultiple(of: 2) || $0.offset == places.count - 1 }
                .map(\.element)
        }
        return true
    }

    func draw(on canvas: GaugeCanvas) throws(SourceError) {
        guard let first = places.first else { return }
        var (least, most) = (first, first)
        for place in places { (least, most) = (pointwiseMin(least, place), pointwiseMax(most, place)) }
        let size = Double(canvas.size)
        let scale = size * 0.7 / max((most - least).max(), Self.leastWidth)
        let points = places.map { canvas.center + SIMD2(0, size * 0.03) + ($0 - (least + most) / 2) * scale }
        canvas.fill(GaugeInk.mark) { $0.addDisc(at: points[0], radius: size * 0.025) }
        canvas.fill(color) { $0.addLine(through: points, width: max(2, size * 0.02)) }
        guard isPresent, let here = points.last else { return }
        canvas.fill(GaugeInk.mark) { $0.addDisc(at: here, radius: size * 0.045) }
        canvas.fill(color) { $0.addDisc(at: here, radius: size * 0.032) }
    }
}
