import PipCompose

/// Reads from a frame's pixels the positions of two grey squares, and the grey values of squares and background.
struct GreyFrame: Sendable {
    /// The position of the left square, in pixels.
    ///
    /// The right square is at the mirrored position.
    struct Place: Sendable, Equatable {
        var x: Int
        var y: Int
    }

    /// The changeable properties of the picture in a frame.
    struct Picture: Sendable {
        /// The brightness that was added to the main picture.
        ///
        /// Units: steps of 1/32.
        var steps: Int
        var place: Place
        /// The opacity of the squares.
        ///
        /// Units: quarters.
        var quarters: Int
    }

    /// The properties of the picture; nil if no client can have requested the picture.
    let picture: Picture?
    /// The luma of all pixels of a frame without a valid picture; otherwise empty.
    let text: String

    private static let side = 8

    init(_ frame: Frame) {
        let (width, height) = (frame.size.width, frame.size.height)
        let rows: [[Int]] = frame.withPlane(0) { pixels, layout in
            (0..<height).map { y in
                (0..<width).map { x in
                    Int(unsafe pixels.unsafeLoad(fromByteOffset: y * layout.strideInBytes + x, as: UInt8.self))
                }
            }
        }
        picture = Self.read(rows)
        text =
            picture != nil ? "" : rows.map { $0.map { "\($0)" }.joined(separator: " ") }.joined(separator: "\n")
    }

    private static func read(_ rows: [[Int]]) -> Picture? {
        let (width, height) = (rows[0].count, rows.count)
        // The squares never cover the middle column.
        let main = rows[0][width / 2]
        guard let top = rows.firstIndex(where: { $0[..<(width / 2)].contains { abs($0 - main) > 6 } }),
            let left = rows[top].firstIndex(where: { abs($0 - main) > 6 }), left + side <= width / 2
        else { return nil }
        let square = rows[top][left]
        for (y, row) in rows.enumerated() {
            for (x, value) in row.enumerated() {
                let isLeft = (left..<left + side).contains(x) && (top..<top + side).contains(y)
                let isRight =
                    (left..<left + side).contains(width - 1 - x) && (top..<top + side).contains(height - 1 - y)
                guard abs(value - (isLeft || isRight ? square : main)) <= 1 else { return nil }
            }
        }
        let steps = Double(main - 48) / (219.0 / 32)
        let quarters = 4 * Double(square - main) / Double(235 - main)
        guard abs(steps - steps.rounded()) < 0.25, abs(quarters - quarters.rounded()) < 0.1 else { return nil }
        return Picture(steps: Int(steps.rounded()), place: Place(x: left, y: top), quarters: Int(quarters.rounded()))
    }
}
