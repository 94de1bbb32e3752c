internal import PipFrames

/// Draws eight colour bars, 100/0/75/0, and the frame's number.
///
/// The bars are white at 100 %; yellow, cyan, green, magenta, red and blue at 75 %; and black. Pictures with a side of
/// less than 45 pixels have no number.
///
/// Source: ITU-R BT.471-1, nomenclature 100/0/75/0 (the EBU's bars).
final class BarsPattern: PatternPainter {
    private let colorimetry: Colorimetry

    init(_ colorimetry: Colorimetry) { self.colorimetry = colorimetry }

    func drawBackground(on canvas: PatternCanvas) {
        let bars: [(Double, Double, Double)] = [
            (1, 1, 1), (0.75, 0.75, 0), (0, 0.75, 0.75), (0, 0.75, 0), (0.75, 0, 0.75), (0.75, 0, 0), (0, 0, 0.75),
            (0, 0, 0),
        ]
        let width = canvas.size.width
        for (index, bar) in bars.enumerated() {
            // The edges between bars lie at even columns, so that no chroma sample lies in two bars.
            let left = (width * index / 8).roundedDown(to: 2)
            let right = index == 7 ? width : (width * (index + 1) / 8).roundedDown(to: 2)
            let color = PatternColor(bar.0, bar.1, bar.2, colorimetry)
            canvas.rectangle(color, Float(left), 0, Float(right), Float(canvas.size.height))
        }
    }

    func draw(_ index: Int, at seconds: Double, on canvas: PatternCanvas) {
        let (width, height) = (Float(canvas.size.width), Float(canvas.size.height))
        let digit = min(height / 9, width / 9)
        guard digit >= 5 else { return }
        let textWidth = 5 * 0.8 * digit + 0.6 * digit
        let (left, top) = ((width - textWidth) / 2, height - 1.8 * digit)
        let black = PatternColor(0, 0, 0, colorimetry)
        canvas.rectangle(
            black, left - 0.4 * digit, top - 0.4 * digit, left + textWidth + 0.4 * digit, top + 1.4 * digit)
        let digits = Digits(color: PatternColor(1, 1, 1, colorimetry), height: digit)
        digits.draw(index, count: 6, on: canvas, left: left, top: top)
    }
}
