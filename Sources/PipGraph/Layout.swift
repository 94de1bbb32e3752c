public import PipFrames

/// The places of all layers of a canvas, by name.
public enum Layout: String, Sendable, CaseIterable {
    case pictureInPicture = "pip"
    case sideBySide = "side-by-side"
    case topBottom = "top-bottom"
    case grid
    case mainOnly = "main-only"

    /// The place of each of `count` layers, the main one first; nil for one that is not shown.
    public func placements(count: Int, canvas: PixelSize) -> [Placement?] {
        switch self {
        case .pictureInPicture: (0..<count).map { $0 == 0 ? .full : Self.inset(at: $0 - 1) }
        case .sideBySide: cells(count: count, columns: count, rows: 1, canvas: canvas)
        case .topBottom: cells(count: count, columns: 1, rows: count, canvas: canvas)
        case .grid:
            {
                let columns = (1...max(count, 1)).first { $0 * $0 >= count } ?? 1
                return cells(count: count, columns: columns, rows: count.dividedUp(by: columns), canvas: canvas)
            }()
        case .mainOnly: (0..<count).map { $0 == 0 ? .full : nil }
        }
    }

    /// The usual place of an inset: a quarter of the width, in a corner; the first one at the top right.
    public static func inset(at index: Int) -> Placement {
        var placement = Placement()
        let corners: [Anchor] = [.topRight, .bottomRight, .bottomLeft, .topLeft]
        placement.position = .anchor(corners[index % corners.count])
        placement.width = .fraction(0.25)
        placement.margin = 24
        return placement
    }

    private func cells(count: Int, columns: Int, rows: Int, canvas: PixelSize) -> [Placement?] {
        (0..<count).map { index in
            let (column, row) = (index % columns, index / columns)
            // Edges on even pixels, so that 4:2:0 chroma falls on whole samples.
            let left = (canvas.width * column / columns).roundedDown(to: 2)
            let right =
                column + 1 == columns ? canvas.width : (canvas.width * (column + 1) / columns).roundedDown(to: 2)
            let top = (canvas.height * row / rows).roundedDown(to: 2)
            let bottom = row + 1 == rows ? canvas.height : (canvas.height * (row + 1) / rows).roundedDown(to: 2)
            var placement = Placement()
            placement.position = .at(x: left, y: top)
            placement.width = .pixels(right - left)
            placement.height = .pixels(bottom - top)
            return placement
        }
    }
}
