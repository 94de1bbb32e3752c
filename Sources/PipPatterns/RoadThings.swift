internal import PipFrames

struct RoadColors {
    let farShade, farLight, nearShade, nearLight, haze: PatternColor
    let grass, shoulder, asphalt, worn, line, dash: PatternColor
    let trunk, treeShade, treeLight: PatternColor
    let shadow, body, bodyLight, glass, bumper, lamp, glow, plate: PatternColor

    init(_ colorimetry: Colorimetry) {
        func color(_ red: Double, _ green: Double, _ blue: Double) -> PatternColor {
            PaintColor(red, green, blue).codes(colorimetry)
        }
        (farShade, farLight) = (color(88, 70, 118), color(136, 94, 128))
        (nearShade, nearLight) = (color(56, 54, 84), color(86, 68, 92))
        haze = color(214, 152, 128)
        (grass, shoulder) = (color(96, 104, 70), color(112, 98, 84))
        (asphalt, worn) = (color(62, 60, 72), color(84, 80, 90))
        (line, dash) = (color(226, 220, 206), color(250, 206, 96))
        (trunk, treeShade, treeLight) = (color(58, 42, 40), color(24, 50, 48), color(52, 82, 62))
        (shadow, body, bodyLight) = (color(30, 28, 36), color(24, 96, 132), color(64, 148, 176))
        (glass, bumper, plate) = (color(40, 44, 62), color(38, 40, 50), color(236, 232, 220))
        (lamp, glow) = (color(238, 44, 40), color(255, 96, 80))
    }
}

/// Draws trees on both sides of the road, a few metres apart.
struct RoadTrees {
    let colors: RoadColors

    private static let spacing: Float = 6

    /// Draws the trees between two distances ahead, in metres, the farthest first.
    func draw(on canvas: PatternCanvas, _ view: RoadView, from farthest: Float, to nearest: Float) {
        let last = Int(((view.travelled + farthest) / Self.spacing).rounded(.down))
        let first = Int(((view.travelled + nearest) / Self.spacing).rounded(.up))
        guard first <= last else { return }
        for number in (first...last).reversed() {
            let ahead = Float(number) * Self.spacing - view.travelled
            let near = view.near(ahead)
            let aside = (1.35 + 2.4 * Noise.fraction(3 * number)) * view.halfRoad(near)
            let x = view.center(near) + (Noise.fraction(3 * number + 1) < 0.5 ? -aside : aside)
            let size = view.width * near * (0.42 + 0.3 * Noise.fraction(3 * number + 2))
            guard x + size > 0, x - size < view.width else { continue }
            drawTree(on: canvas, x, view.row(near), size, opacity: min(1, (130 - ahead) / 30))
        }
    }

    private func drawTree(on canvas: PatternCanvas, _ x: Float, _ foot: Float, _ size: Float, opacity: Float) {
        canvas.rectangle(colors.trunk, x - 0.035 * size, foot - 0.2 * size, x + 0.035 * size, foot, opacity: opacity)
        for tier in 0..<3 {
            let bottom = foot - (0.14 + 0.27 * Float(tier)) * size
            let top = bottom - (0.48 - 0.05 * Float(tier)) * size
            let half = (0.27 - 0.06 * Float(tier)) * size
            canvas.trapezoid(
                colors.treeShade, from: (top, x, x),
                to: (bottom, x - half, x + half), opacity: opacity)
            canvas.trapezoid(
                colors.treeLight, from: (top, x, x),
                to: (bottom, x + 0.1 * half, x + half), opacity: opacity)
        }
    }
}

/// Draws the car ahead, seen from behind.
struct RoadCar {
    let colors: RoadColors

    /// The distance of the car ahead, in metres.
    static let distance: Float = 11

    func draw(on canvas: PatternCanvas, _ view: RoadView, sway: Float, bounce: Float) {
        let near = view.near(Self.distance)
        // The unit of lengths is half of the car's width.
        let unit = 0.27 * view.halfRoad(near)
        let x = view.center(near) + (0.47 + 0.03 * sway) * view.halfRoad(near)
        let ground = view.row(near)
        canvas.ellipse(colors.shadow, x, ground, 1.15 * unit, 0.14 * unit, opacity: 0.7)
        let y = ground + 0.012 * unit * bounce
        for side in [Float(-1), 1] {
            canvas.rectangle(
                colors.shadow, x + side * 0.7 * unit - 0.17 * unit, y - 0.4 * unit, x + side * 0.7 * unit + 0.17 * unit,
                ground, radius: 0.08 * unit)
        }
        canvas.trapezoid(
            colors.body, from: (y - 1.42 * unit, x - 0.62 * unit, x + 0.62 * unit),
            to: (y - 0.85 * unit, x - 0.88 * unit, x + 0.88 * unit))
        canvas.trapezoid(
            colors.glass, from: (y - 1.33 * unit, x - 0.55 * unit, x + 0.55 * unit),
            to: (y - 0.9 * unit, x - 0.74 * unit, x + 0.74 * unit))
        canvas.rectangle(colors.body, x - unit, y - 0.92 * unit, x + unit, y - 0.2 * unit, radius: 0.18 * unit)
        canvas.rectangle(
            colors.bodyLight, x - 0.94 * unit, y - 0.9 * unit, x + 0.94 * unit, y - 0.8 * unit, radius: 0.05 * unit)
        canvas.rectangle(
            colors.bumper, x - 0.98 * unit, y - 0.38 * unit, x + 0.98 * unit, y - 0.16 * unit, radius: 0.08 * unit)
        canvas.rectangle(
            colors.plate, x - 0.24 * unit, y - 0.62 * unit, x + 0.24 * unit, y - 0.46 * unit, radius: 0.02 * unit)
        drawLamps(on: canvas, x, y, unit)
    }

    private func drawLamps(on canvas: PatternCanvas, _ x: Float, _ y: Float, _ unit: Float) {
        for side in [Float(-1), 1] {
            let center = x + side * 0.73 * unit
            canvas.ellipse(colors.glow, center, y - 0.62 * unit, 0.42 * unit, 0.34 * unit, opacity: 0.22)
            canvas.rectangle(
                colors.lamp, center - 0.2 * unit, y - 0.74 * unit, center + 0.2 * unit, y - 0.52 * unit,
                radius: 0.07 * unit)
            canvas.ellipse(colors.glow, center, y - 0.64 * unit, 0.1 * unit, 0.06 * unit)
        }
    }
}
