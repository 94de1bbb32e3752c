internal import Glibc
internal import PipFrames

/// A drive at dusk, as a dash camera sees it: sky and sun, mountains, a winding road, trees that pass, and a car ahead.
final class RoadScene: Pattern {
    private let view: RoadView
    private let colors: RoadColors
    private let colorimetry: Colorimetry
    /// Seconds that the drive has lasted already; another seed begins elsewhere.
    private let start: Float

    /// Metres a second.
    private static let speed: Float = 24

    init(_ size: PixelSize, _ colorimetry: Colorimetry, seed: UInt64) {
        view = RoadView(size)
        colors = RoadColors(colorimetry)
        self.colorimetry = colorimetry
        start = Float(seed % 64) * 7.3
    }

    func drawBackground(on canvas: PatternCanvas) {
        DuskSky(width: Double(view.width), height: Double(view.height), horizon: Double(view.horizon))
            .draw(on: canvas, colorimetry)
    }

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
                // The row of peaks repeats beyond both sides of the picture.
                let place = Float(peak) / (layer == 0 ? 8 : 10) * 1.8 + 0.1 * Noise.fraction(key)
                let along = place - shift * (layer == 0 ? 1 : 2.2)
                let x = (along - 1.8 * (along / 1.8).rounded(.down) - 0.4) * width
                let rise =
                    height
                    * (layer == 0 ? 0.15 + 0.13 * Noise.fraction(key + 1) : 0.05 + 0.07 * Noise.fraction(key + 1))
                let half =
                    width * (layer == 0 ? 0.13 + 0.07 * Noise.fraction(key + 2) : 0.12 + 0.08 * Noise.fraction(key + 2))
                let (top, foot) = (view.horizon - rise, x + half * (0.3 * Noise.fraction(key + 3) - 0.25))
                sky.trapezoid(shade, top: top, x, x, bottom: view.horizon, x - half, foot)
                sky.trapezoid(light, top: top, x, x, bottom: view.horizon, foot, x + half)
            }
        }
    }

    private func drawGround(on canvas: PatternCanvas, _ view: RoadView) {
        for top in stride(from: view.horizon, to: view.height, by: 2) {
            let near = (top + 1 - view.horizon) / view.depth
            let (begin, end) = (view.distance(near), view.distance(near + 2 / view.depth))
            let (center, half) = (view.center(near), view.halfRoad(near))
            let bottom = top + 2
            let stripe = view.coverage(begin, end, period: 14, part: 0.5)
            canvas.rectangle(colors.grass, 0, top, view.width, bottom, opacity: 0.3 * stripe)
            canvas.rectangle(colors.shoulder, center - 1.08 * half, top, center + 1.08 * half, bottom)
            canvas.rectangle(colors.asphalt, center - half, top, center + half, bottom)
            canvas.rectangle(colors.worn, center - half, top, center + half, bottom, opacity: 0.35 * stripe)
            let line = 0.022 * half
            canvas.rectangle(colors.line, center - 0.93 * half, top, center - 0.93 * half + line, bottom)
            canvas.rectangle(colors.line, center + 0.93 * half - line, top, center + 0.93 * half, bottom)
            let dash = view.coverage(begin, end, period: 12, part: 0.4)
            canvas.rectangle(colors.dash, center - 0.6 * line, top, center + 0.6 * line, bottom, opacity: dash)
            if near < 0.2 {
                let haze = (1 - near / 0.2) * (1 - near / 0.2)
                canvas.rectangle(colors.haze, 0, top, view.width, bottom, opacity: 0.75 * haze)
            }
        }
    }
}

/// Where things on the road are seen.
///
/// `near` is 0 at the horizon and 1 at the picture's lower edge.
struct RoadView {
    let width: Float
    let height: Float
    let horizon: Float
    /// From -1, to the left, to 1.
    var bend: Float = 0
    /// Metres.
    var travelled: Float = 0

    /// The distance of the lower edge, in metres.
    private static let nearest: Float = 4

    init(_ size: PixelSize) {
        width = Float(size.width)
        height = Float(size.height)
        // Even, so that no chroma sample has ground and sky.
        horizon = Float((size.height * 52 / 100).roundedDown(to: 2))
    }

    /// Rows from the horizon to the lower edge.
    var depth: Float { max(height - horizon, 1) }

    func distance(_ near: Float) -> Float { Self.nearest / max(near, 0.001) }

    func near(_ distance: Float) -> Float { Self.nearest / max(distance, 0.1) }

    func row(_ near: Float) -> Float { horizon + near * depth }

    func center(_ near: Float) -> Float {
        let far = max(1 - near, 0)
        return width * (0.5 + 0.26 * bend * far * far * far)
    }

    func halfRoad(_ near: Float) -> Float { 0.46 * width * near }

    /// How much of the way between two distances is marked, where a part of each period is.
    func coverage(_ from: Float, _ to: Float, period: Float, part: Float) -> Float {
        func marked(_ distance: Float) -> Float {
            let periods = (distance + travelled) / period
            let whole = periods.rounded(.down)
            return whole * part + min(periods - whole, part)
        }
        let length = abs(from - to) / period
        return length > 0 ? min(max(abs(marked(from) - marked(to)) / length, 0), 1) : 0
    }
}
