internal import Glibc
internal import PipFrames

/// Draws the driver, as a camera on the dashboard sees the cabin.
///
/// The landscape passes behind the windows; the face nods, looks about and blinks.
final class DriverScene: PatternPainter {
    private let width: Float
    private let height: Float
    private let colors: DriverColors
    private let colorimetry: Colorimetry
    private let start: Float

    /// The upper and lower edges of the windows, as shares of the picture's height.
    private static let windowTop: Float = 0.1
    private static let windowBottom: Float = 0.52

    init(_ size: PixelSize, _ colorimetry: Colorimetry, seed: UInt64) {
        width = Float(size.width)
        height = Float(size.height)
        colors = DriverColors(colorimetry, look: seed)
        self.colorimetry = colorimetry
        start = Float(seed % 64) * 5.1
    }

    func drawBackground(on canvas: PatternCanvas) {
        let (top, bottom) = (PaintColor(70, 64, 80), PaintColor(36, 34, 44))
        let sky = [PaintColor(104, 88, 156), PaintColor(206, 120, 140), PaintColor(255, 200, 140)]
        // Two rows are filled at a time, because they share a row of chroma.
        for y in stride(from: Float(0), to: height, by: 2) {
            let color = top.mixed(with: bottom, Double(y / height))
            canvas.rectangle(color.codes(colorimetry), 0, y, width, y + 2)
            let part = Double((y / height - Self.windowTop) / (Self.windowBottom - Self.windowTop))
            guard (0...1).contains(part) else { continue }
            let light =
                part < 0.55 ? sky[0].mixed(with: sky[1], part / 0.55) : sky[1].mixed(with: sky[2], (part - 0.55) / 0.45)
            canvas.rectangle(light.codes(colorimetry), 0, y, width, y + 2)
        }
    }

    func draw(_ index: Int, at seconds: Double, on canvas: PatternCanvas) {
        let time = Float(seconds) + start
        let unit = min(height, 0.75 * width)
        drawWindows(on: canvas, time)
        drawSeat(on: canvas, unit)
        let (nod, turn) = (sinf(1.9 * time) + 0.4 * sinf(5.3 * time), 0.7 * sinf(0.55 * time) + 0.3 * sinf(1.3 * time))
        var face = DriverFace(colors: colors, unit: unit, x: 0.5 * width, y: 0.46 * height)
        face.drawBody(on: canvas, bottom: height)
        face.x += 0.022 * unit * turn
        face.y += 0.009 * unit * nod
        let sinceBlink = time - 3.1 * (time / 3.1).rounded(.down)
        face.draw(
            on: canvas, look: turn, lid: sinceBlink < 0.16 ? abs(sinceBlink - 0.08) / 0.08 : 1,
            smile: 0.5 + 0.5 * sinf(0.4 * time))
    }

    /// Draws the hills and trees that pass behind the side windows, and then the window frames.
    private func drawWindows(on canvas: PatternCanvas, _ time: Float) {
        for side in [Float(-1), 1] {
            let (inner, outer) = (0.5 + 0.12 * side, 0.5 + 0.62 * side)
            let glass = canvas.clipped(
                left: min(inner, outer) * width, top: Self.windowTop * height, right: max(inner, outer) * width,
                bottom: Self.windowBottom * height)
            for number in 0..<7 {
                let x = flowing(time, speed: 0.11, number, of: 7)
                let rise = 0.06 + 0.08 * Noise.fraction(17 * number)
                glass.ellipse(colors.hill, x * width, 0.52 * height, 0.22 * width, rise * height * 1.6)
            }
            for number in 0..<5 {
                let x = flowing(time, speed: 0.75, number, of: 5) * width
                let size = (0.2 + 0.1 * Noise.fraction(23 * number)) * height
                glass.trapezoid(
                    colors.tree, from: (0.54 * height - 1.2 * size, x, x),
                    to: (0.56 * height, x - 0.34 * size, x + 0.34 * size))
            }
        }
        canvas.rectangle(colors.frame, 0, 0.5 * height, width, 0.53 * height)
        canvas.trapezoid(
            colors.frame, from: (0.08 * height, 0.35 * width, 0.65 * width),
            to: (0.53 * height, 0.31 * width, 0.69 * width))
    }

    /// The horizontal position, -0.3…1.3 of the width, of one of `count` objects that move to the left and return at
    /// the right.
    private func flowing(_ time: Float, speed: Float, _ number: Int, of count: Int) -> Float {
        let along = (Float(number) + 0.4 * Noise.fraction(number)) / Float(count) * 1.6 - speed * time
        return along - 1.6 * (along / 1.6).rounded(.down) - 0.3
    }

    private func drawSeat(on canvas: PatternCanvas, _ unit: Float) {
        let x = 0.5 * width
        canvas.rectangle(
            colors.seat, x - 0.46 * unit, 0.56 * height, x + 0.46 * unit, 1.2 * height, radius: 0.12 * unit)
        canvas.rectangle(
            colors.seatLight, x - 0.23 * unit, 0.3 * height, x + 0.23 * unit, 0.6 * height, radius: 0.09 * unit)
    }
}

struct DriverColors {
    let hill, tree, frame, seat, seatLight: PatternColor
    let skin, skinShade, cheek, lips, hair, white, iris, dark: PatternColor
    let jacket, jacketShade, shirt, belt: PatternColor

    /// Creates the colours; `look` selects the colours of the jacket and the hair.
    init(_ colorimetry: Colorimetry, look: UInt64) {
        func color(_ red: Double, _ green: Double, _ blue: Double) -> PatternColor {
            PaintColor(red, green, blue).codes(colorimetry)
        }
        (hill, tree) = (color(98, 80, 108), color(48, 62, 66))
        (frame, seat, seatLight) = (color(50, 46, 58), color(74, 68, 82), color(94, 87, 102))
        (skin, skinShade, cheek) = (color(238, 184, 148), color(206, 146, 116), color(236, 150, 126))
        (lips, white, iris, dark) = (color(170, 70, 74), color(248, 246, 240), color(70, 104, 92), color(34, 28, 32))
        let hairs = [color(74, 46, 38), color(40, 36, 44), color(150, 96, 52)]
        let jackets = [
            (color(30, 124, 128), color(20, 94, 102)), (color(176, 74, 62), color(140, 54, 50)),
            (color(84, 92, 160), color(62, 68, 126)),
        ]
        hair = hairs[Int(look % 3)]
        (jacket, jacketShade) = jackets[Int(look % 3)]
        (shirt, belt) = (color(236, 228, 214), color(40, 37, 46))
    }
}
