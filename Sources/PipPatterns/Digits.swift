/// Draws numbers as seven-segment digits, in a given colour and height.
struct Digits {
    let color: PatternColor
    let height: Float

    /// The lit segments of each digit, one bit for each, the highest first: top, upper left, upper right, middle, lower
    /// left, lower right, bottom.
    private static let segments: InlineArray<10, UInt8> = [
        0b111_0111, 0b001_0010, 0b101_1101, 0b101_1011, 0b011_1010, 0b110_1011, 0b110_1111, 0b101_0010, 0b111_1111,
        0b111_1011,
    ]

    /// Draws the last `count` digits of a number, with leading zeros.
    ///
    /// A digit's width is 0.6 of the height, and the gap between two digits is 0.2 of the height. The first digit's
    /// upper left corner is at `left` and `top`.
    func draw(_ number: Int, count: Int, on canvas: PatternCanvas, left: Float, top: Float) {
        var rest = number
        for position in (0..<count).reversed() {
            draw(rest % 10, on: canvas, left + Float(position) * 0.8 * height, top)
            rest /= 10
        }
    }

    private func draw(_ digit: Int, on canvas: PatternCanvas, _ left: Float, _ top: Float) {
        let (width, line) = (0.6 * height, 0.12 * height)
        let (right, middle, bottom) = (left + width, top + (height - line) / 2, top + height)
        let lit = Self.segments[digit]
        if lit & 0b100_0000 != 0 { canvas.rectangle(color, left, top, right, top + line) }
        if lit & 0b010_0000 != 0 { canvas.rectangle(color, left, top, left + line, middle + line) }
        if lit & 0b001_0000 != 0 { canvas.rectangle(color, right - line, top, right, middle + line) }
        if lit & 0b000_1000 != 0 { canvas.rectangle(color, left, middle, right, middle + line) }
        if lit & 0b000_0100 != 0 { canvas.rectangle(color, left, middle, left + line, bottom) }
        if lit & 0b000_0010 != 0 { canvas.rectangle(color, right - line, middle, right, bottom) }
        if lit & 0b000_0001 != 0 { canvas.rectangle(color, left, bottom - line, right, bottom) }
    }
}
