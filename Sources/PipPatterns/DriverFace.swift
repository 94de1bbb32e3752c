internal import PipFrames

/// Draws the driver's head and shoulders.
///
/// All lengths are multiples of `unit`. The middle of the face is at `x`, `y`.
struct DriverFace {
    let colors: DriverColors
    let unit: Float
    var x: Float
    var y: Float

    /// Draws neck, jacket and seat belt, which stay still while the head moves.
    func drawBody(on canvas: PatternCanvas, bottom: Float) {
        let shoulder = y + 0.34 * unit
        canvas.ellipse(colors.jacketShade, x, shoulder + 0.36 * unit, 0.52 * unit, 0.4 * unit)
        canvas.ellipse(colors.jacket, x - 0.015 * unit, shoulder + 0.37 * unit, 0.5 * unit, 0.39 * unit)
        canvas.trapezoid(
            colors.shirt, from: (shoulder - 0.07 * unit, x - 0.15 * unit, x + 0.15 * unit),
            to: (shoulder + 0.26 * unit, x, x))
        canvas.trapezoid(
            colors.skinShade, from: (y + 0.14 * unit, x - 0.1 * unit, x + 0.1 * unit),
            to: (shoulder + 0.03 * unit, x - 0.12 * unit, x + 0.12 * unit))
        canvas.ellipse(colors.skinShade, x, shoulder + 0.03 * unit, 0.12 * unit, 0.05 * unit)
        canvas.trapezoid(
            colors.belt, from: (y + 0.1 * unit, x + 0.42 * unit, x + 0.47 * unit),
            to: (bottom, x - 0.2 * unit, x - 0.1 * unit))
    }

    /// Draws the head.
    ///
    /// - Parameters:
    ///   - canvas: The canvas to draw on.
    ///   - look: The direction of gaze, from -1 (left) to 1 (right).
    ///   - lid: The opening of the eyelids, from 0 (closed) to 1.
    ///   - smile: The strength of the smile, from 0 to 1.
    func draw(on canvas: PatternCanvas, look: Float, lid: Float, smile: Float) {
        canvas.ellipse(colors.hair, x, y - 0.06 * unit, 0.245 * unit, 0.27 * unit)
        for side in [Float(-1), 1] {
            canvas.ellipse(colors.skinShade, x + side * 0.215 * unit, y + 0.03 * unit, 0.04 * unit, 0.06 * unit)
        }
        canvas.ellipse(colors.skinShade, x + 0.008 * unit, y + 0.022 * unit, 0.208 * unit, 0.262 * unit)
        canvas.ellipse(colors.skin, x, y + 0.015 * unit, 0.205 * unit, 0.255 * unit)
        for side in [Float(-1), 1] {
            canvas.ellipse(
                colors.cheek, x + (0.12 * side + 0.02 * look) * unit, y + 0.1 * unit, 0.05 * unit, 0.035 * unit,
                opacity: 0.5)
        }
        drawHair(on: canvas)
        drawEyes(on: canvas, look, lid)
        drawMouth(on: canvas, look, smile)
    }

    /// Draws the fringe: a cap of hair that ends at the forehead.
    private func drawHair(on canvas: PatternCanvas) {
        let top = canvas.clipped(left: 0, top: 0, right: Float(canvas.size.width), bottom: y - 0.08 * unit)
        top.ellipse(colors.hair, x, y - 0.06 * unit, 0.232 * unit, 0.265 * unit)
        canvas.ellipse(colors.skin, x + 0.05 * unit, y - 0.045 * unit, 0.135 * unit, 0.1 * unit)
        canvas.ellipse(colors.hair, x - 0.13 * unit, y - 0.165 * unit, 0.09 * unit, 0.075 * unit)
    }

    private func drawEyes(on canvas: PatternCanvas, _ look: Float, _ lid: Float) {
        let turn = 0.025 * look * unit
        for side in [Float(-1), 1] {
            let eye = x + 0.082 * side * unit + turn
            let row = y - 0.01 * unit
            canvas.rectangle(
                colors.hair, eye - 0.045 * unit, row - 0.07 * unit, eye + 0.045 * unit, row - 0.055 * unit,
                radius: 0.008 * unit)
            let open = max(0.033 * unit * lid, 0.004 * unit)
            if lid < 0.25 {
                canvas.ellipse(colors.dark, eye, row, 0.04 * unit, open)
                continue
            }
            canvas.ellipse(colors.white, eye, row, 0.042 * unit, open)
            let pupil = eye + 0.016 * look * unit
            canvas.ellipse(colors.iris, pupil, row, 0.024 * unit, min(0.026 * unit, open))
            canvas.ellipse(colors.dark, pupil, row, 0.012 * unit, min(0.014 * unit, open))
            canvas.ellipse(colors.white, pupil + 0.007 * unit, row - 0.008 * unit, 0.005 * unit, 0.005 * unit)
        }
        canvas.ellipse(colors.skinShade, x + 1.3 * turn, y + 0.075 * unit, 0.024 * unit, 0.018 * unit)
        canvas.ellipse(colors.skin, x + 1.3 * turn - 0.004 * unit, y + 0.062 * unit, 0.024 * unit, 0.02 * unit)
    }

    private func drawMouth(on canvas: PatternCanvas, _ look: Float, _ smile: Float) {
        let (center, row) = (x + 0.022 * look * unit, y + 0.135 * unit)
        let half = (0.06 + 0.02 * smile) * unit
        let lower = canvas.clipped(left: 0, top: row, right: Float(canvas.size.width), bottom: row + unit)
        lower.ellipse(colors.lips, center, row, half, (0.02 + 0.04 * smile) * unit)
        lower.ellipse(colors.white, center, row, 0.82 * half, (0.006 + 0.018 * smile) * unit)
    }
}
