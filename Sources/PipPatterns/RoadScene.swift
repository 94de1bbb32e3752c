internal import Glibc
internal import PipFrames

/// Draws a drive at dusk, as a dash camera sees it: sky and sun, mountains, a winding road, passing trees, and a car
/// ahead.
final class RoadScene: PatternPainter {
    private let view: RoadView
    private let colors: RoadColors
    private let sky: DuskSky
    /// The colour of the ground in each pair of rows, from the horizon to the lower edge.
    private let grounds: [PatternColor]
    private let colorimetry: Colorimetry
    /// The time in the drive at which the scene begins, in seconds.
    ///
    /// The seed selects this time.
    private let start: Float

    /// The speed of the car that carries the camera, in metres per second.
    private static let speed: Float = 24

    init(_ size: PixelSize, _ colorimetry: Colorimetry, seed: UInt64) {
        view = RoadView(size)
        colors = RoadColors(colorimetry)
        self.colorimetry = colorimetry
        let sky = DuskSky(width: Double(view.width), height: Double(view.height), horizon: Double(view.horizon))
        self.sky = sky
        grounds = stride(from: Double(view.horizon), to: Double(view.height), by: 2).map {
            sky.ground($0).codes(colorimetry)
        }
        start = Float(seed % 64) * 7.3
    }

    func drawBackground(on canvas: PatternCanvas) { sky.draw(on: canvas, colorimetry) }

    func draw(_ index: Int, at seconds: Double, on canvas: PatternCanvas) {
        let time = Float(seconds) + start
        var view = view
        view.bend = 0.7 * sinf(0.31 * time) + 0.3 * sinf(0.13 * time + 1)
        view.travelled = Self.speed * time
        drawMountains(on: canvas, view, shift: 0.002 * time + 0.05 * view.bend)
        drawGround(on: canvas, view)
        let trees = RoadTrees(colors: colors)
        trees.draw(on: canvas, view, from: 130, to: RoadCar.distance)
        RoadCar(colors: colors).draw(on: canvas, view, sway: sinf(0.9 * time), bounce: sinf(11 * time))
        trees.draw(on: canvas, view, from: RoadCar.distance, to: 2)
    }

    private func drawMountains(on canvas: PatternCanvas, _ view: RoadView, shift: Float) {
        let (width, height) = (view.width, view.height)
        let sky = canvas.clipped(left: 0, top: 0, right: width, bottom: view.horizon)
        for layer in 0..<2 {
            let (shade, light) = layer == 0 ? (colors.farShade, colors.farLight) : (colors.nearShade, colors.nearLight)
            for peak in 0..<(layer == 0 ? 8 : 10) {
                let key = 100 * layer + 10 * peak
                // The row of peaks wraps around beyond both sides of the picture.
                let place = Float(peak) / (layer == 0 ? 8 : 10) * 1.8 + 0.1 * Noise.fraction(key)
                let along = place - shift * (layer == 0 ? 1 : 2.2)
                let x = (along - 1.8 * (along / 1.8).rounded(.down) - 0.4) * width
                let rise =
                    height
                    * (layer == 0 ? 0.15 + 0.13 * Noise.fraction(key + 1) : 0.05 + 0.07 * Noise.fraction(key + 1))
                let half =
                    width * (layer == 0 ? 0.13 + 0.07 * Noise.fraction(key + 2) : 0.12 + 0.08 * Noise.fraction(key + 2))
                let (top, foot) = (view.horizon - rise, x + half * (0.3 * Noise.fraction(key + 3) - 0.25))
                // The whole mountain is drawn first, in the shade's colour, because the sky would show between two
                // adjacent anti-aliased edges.
                sky.trapezoid(
                    shade, from: (top, x, x), to: (view.horizon, x - half, x + half)
                )
                sky.trapezoid(
                    light, from: (top, x, x), to: (view.horizon, foot, x + half))
            }
        }
    }

    /// Draws the ground in pairs of rows, each of which has one row of chroma.
    ///
    /// Colours are mixed beforehand, so that rows are filled instead of blended.
    private func drawGround(on canvas: PatternCanvas, _ view: RoadView) {
        for (number, ground) in grounds.enumerated() {
            let band = RoadBand(canvas, view, colors, number)
            let stripe = view.coverage(band.begin, band.end, period: 14, part: 0.5)
            band.fill(ground.mixed(with: colors.grass, 0.3 * stripe))
            band.fill(colors.shoulder, from: -1.08, to: 1.08)
            let asphalt = colors.asphalt.mixed(with: colors.worn, 0.35 * stripe)
            band.fill(asphalt, from: -1, to: 1)
            band.mark(colors.line, over: asphalt, at: -0.92, width: 0.022)
            band.mark(colors.line, over: asphalt, at: 0.92, width: 0.022)
            let dash = view.coverage(band.begin, band.end, period: 12, part: 0.4)
            if dash > 0 { band.mark(colors.dash, over: asphalt, at: 0, width: 0.026, dash) }
        }
    }
}

/// A pair of rows of the road.
///
/// Units of horizontal positions: half widths of the road, from -1 (left edge) to 1 (right edge).
private struct RoadBand {
    /// The distances ahead that the upper and the lower edge of the rows show, in metres.
    let begin: Float
    let end: Float
    private let canvas: PatternCanvas
    private let top: Float
    private let haze: Float
    private let hazeColor: PatternColor
    private let centers: (top: Float, bottom: Float)
    private let halves: (top: Float, bottom: Float)

    init(_ canvas: PatternCanvas, _ view: RoadView, _ colors: RoadColors, _ number: Int) {
        self.canvas = canvas
        let (upper, lower) = (Float(2 * number) / view.depth, Float(2 * number + 2) / view.depth)
        top = view.horizon + Float(2 * number)
        (begin, end) = (view.distance(upper), view.distance(lower))
        centers = (view.center(upper), view.center(lower))
        halves = (view.halfRoad(upper), view.halfRoad(lower))
        let clear = min((upper + lower) / 0.4, 1)
        haze = 0.75 * (1 - clear) * (1 - clear)
        hazeColor = colors.haze
    }

    /// Fills the rows over the full width of the picture.
    func fill(_ color: PatternColor) {
        canvas.rectangle(hazed(color), 0, top, Float(canvas.size.width), top + 2)
    }

    func fill(_ color: PatternColor, from left: Float, to right: Float) {
        canvas.trapezoid(
            hazed(color),
            from: (top, centers.top + left * halves.top, centers.top + right * halves.top),
            to: (
                top + 2, centers.bottom + left * halves.bottom, centers.bottom + right * halves.bottom
            ))
    }

    /// Draws a line of the road's markings.
    ///
    /// The line of a bend may shift by more than its width between the upper and the lower edge of the rows. The line
    /// is then drawn wider, and proportionally fainter.
    func mark(_ color: PatternColor, over ground: PatternColor, at place: Float, width: Float, _ opacity: Float = 1) {
        let (upper, lower) = (centers.top + place * halves.top, centers.bottom + place * halves.bottom)
        let line = width * (halves.top + halves.bottom) / 2
        let wide = max(line, 0.6 * abs(lower - upper))
        let mixed = ground.mixed(with: color, opacity * line / max(wide, 0.001))
        canvas.trapezoid(
            hazed(mixed), from: (top, upper - wide / 2, upper + wide / 2),
            to: (top + 2, lower - wide / 2, lower + wide / 2))
    }

    private func hazed(_ color: PatternColor) -> PatternColor { haze > 0 ? color.mixed(with: hazeColor, haze) : color }
}
