internal import PipFrames

/// A named arrangement of all layers on a canvas: see ``Compositor/arrange(_:)``.
public enum Layout: String, Sendable, CaseIterable {
    case pictureInPicture = "pip"
    case sideBySide = "side-by-side"
    case topBottom = "top-bottom"
    case grid
    case mainOnly = "main-only"

    /// The placements of `count` layers, the main layer first.
    ///
    /// Nil for a layer that is not shown.
    public func placements(count: Int) -> [Placement?] {
        switch self {
        case .pictureInPicture: (0..<count).map { $0 == 0 ? .full : Self.inset(at: $0 - 1) }
        case .sideBySide: cells(count: count, columns: count, rows: 1)
        case .topBottom: cells(count: count, columns: 1, rows: count)
        case .grid:
            {
                let columns = (1...max(count, 1)).first { $0 * $0 >= count } ?? 1
                return cells(count: count, columns: columns, rows: count.dividedUp(by: columns))
            }()
        case .mainOnly: (0..<count).map { $0 == 0 ? .full : nil }
        }
    }

    /// The default placement of an inset: a quarter of the canvas's width, in a corner.
    ///
    /// The inset with the index 0 is at the top right. The following insets go clockwise; the fifth one is at the top
    /// right again.
    public static func inset(at index: Int) -> Placement {
        var placement = Placement()
        let corners: [Anchor] = [.topRight, .bottomRight, .bottomLeft, .topLeft]
        placement.position = .anchor(corners[index % corners.count])
        placement.width = .fraction(0.25)
        placement.margin = 24
        return placement
    }

    private func cells(count: Int, columns: Int, rows: Int) -> [Placement?] {
        (0..<count).map { index in
            var placement = Placement()
            placement.position = .cell(
                Placement.Cell(column: index % columns, row: index / columns, columns: columns, rows: rows))
            return placement
        }
    }
}
