internal import Glibc
internal import PipFrames

/// Draws the still part of the road scene: the sky with a low sun, and clouds.
struct DuskSky {
    let width: Double
    let height: Double
    let horizon: Double

    private static let stops: [(at: Double, color: PaintColor)] = [
        (0, PaintColor(30, 38, 92)), (0.4, PaintColor(94, 70, 138)), (0.72, PaintColor(214, 108, 118)),
        (0.9, PaintColor(252, 168, 112)), (1, PaintColor(255, 206, 142)),
    ]
    private static let glow = PaintColor(255, 236, 190)
    private static let far = PaintColor(116, 92, 104)
    private static let near = PaintColor(46, 64, 52)

    func draw(on canvas: PatternCanvas, _ colorimetry: Colorimetry) {
        for y in 0..<min(Int(horizon), canvas.size.height) {
            for x in 0..<canvas.size.width {
                var color = sky(Double(x), Double(y))
                // Dithering by less than one step prevents banding in the smooth gradient.
                let dither = Double(Noise.fraction(x &+ 7919 &* y)) - 0.5
                color = PaintColor(color.red + dither, color.green + dither, color.blue + dither)
                canvas.set(color.codes(colorimetry), x: x, y: y)
            }
        }
        let cloud = PaintColor(255, 176, 150).codes(colorimetry)
        let sky = canvas.clipped(left: 0, top: 0, right: Float(width), bottom: Float(horizon))
        for index in 0..<11 {
            let across = Noise.fraction(31 * index) * Float(width)
            let down = Float(horizon) * (0.18 + 0.5 * Noise.fraction(31 * index + 1))
            let radius = Float(width) * (0.06 + 0.12 * Noise.fraction(31 * index + 2))
            sky.ellipse(cloud, across, down, radius, Float(height) * 0.008, opacity: 0.28)
            sky.ellipse(
                cloud, across + 0.4 * radius, down - Float(height) * 0.009, 0.6 * radius, Float(height) * 0.007,
                opacity: 0.24)
        }
    }

    private func sky(_ x: Double, _ y: Double) -> PaintColor {
        let part = y / max(horizon, 1)
        var color = Self.stops[Self.stops.count - 1].color
        for (lower, upper) in zip(Self.stops, Self.stops.dropFirst()) where part >= lower.at && part < upper.at {
            color = lower.color.mixed(with: upper.color, (part - lower.at) / (upper.at - lower.at))
        }
        let distance = (pow(x - 0.66 * width, 2) + pow(y - (horizon - 0.13 * height), 2)).squareRoot() / height
        let disc = min(max((0.07 - distance) * height, 0), 1)
        let halo = 0.85 * exp(-distance * distance * 38) * (1 - disc) + disc
        return color.mixed(with: Self.glow, halo)
    }

    /// The colour of the ground in a row of the picture.
    func ground(_ y: Double) -> PaintColor {
        Self.far.mixed(with: Self.near, min(1, (y - horizon) / max(height - horizon, 1) * 3))
    }
}
