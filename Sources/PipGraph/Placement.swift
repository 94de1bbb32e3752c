public import PipFrames

/// The place of a layer on its canvas, and the fit of its picture into that place.
public struct Placement: Sendable, Hashable {
    /// The position of the layer's rectangle.
    public enum Position: Sendable, Hashable {
        /// A corner, an edge or the centre of the canvas, at the distance `margin` from the edges.
        case anchor(Anchor)
        /// The pixel of the canvas at which the rectangle's upper left corner is.
        case at(x: Int, y: Int)
        /// A cell of a grid on the canvas, which also sets the rectangle's size.
        case cell(Cell)
    }

    /// A cell of a grid that divides the canvas into equal columns and rows.
    public struct Cell: Sendable, Hashable {
        /// The column, from 0 at the left.
        public var column: Int
        /// The row, from 0 at the top.
        public var row: Int
        /// The number of columns of the grid.
        public var columns: Int
        /// The number of rows of the grid.
        public var rows: Int

        /// Creates a cell of a grid of `columns` × `rows` cells.
        public init(column: Int, row: Int, columns: Int, rows: Int) {
            self.column = column
            self.row = row
            self.columns = columns
            self.rows = rows
        }

        /// The rectangle of the cell, in canvas pixels.
        ///
        /// Inner edges lie on even pixels, where 4:2:0 chroma has whole samples.
        package func rect(on canvas: PixelSize) -> PixelRect {
            func edge(_ index: Int, of count: Int, _ length: Int) -> Int {
                index == count ? length : (length * index / max(count, 1)).roundedDown(to: 2)
            }
            let left = edge(column, of: columns, canvas.width)
            let top = edge(row, of: rows, canvas.height)
            return PixelRect(
                x: left, y: top, width: max(1, edge(column + 1, of: columns, canvas.width) - left),
                height: max(1, edge(row + 1, of: rows, canvas.height) - top))
        }
    }

    /// The position of the layer's rectangle.
    public var position: Position = .anchor(.topLeft)
    /// The width of the layer's rectangle.
    ///
    /// If only a width or only a height is set, the rectangle keeps the picture's aspect ratio. Without both, the
    /// rectangle has the canvas's size.
    public var width: Length?
    /// The height of the layer's rectangle; see ``width``.
    public var height: Length?
    /// The distance of an anchored rectangle from the canvas's edges at the anchor.
    ///
    /// Units: canvas pixels. The margin has no effect at other positions, or along an axis on which the rectangle is as
    /// long as the canvas.
    public var margin: Int = 0
    /// The fit of a picture whose aspect ratio differs from the rectangle's.
    public var fit: FitMode = .fill
    /// The part of the stored picture to show; nil shows all of it.
    ///
    /// Units: pixels of the stored picture.
    public var crop: PixelRect?
    /// The rotation and mirroring that follow the picture's own orientation.
    public var orientation: Orientation = .identity

    /// Creates a placement that fills the canvas.
    public init() {}

    /// A placement that fills the canvas.
    public static let full = Placement()

    /// Computes the rectangle of a layer on a canvas.
    ///
    /// - Parameters:
    ///   - content: The size of the upright picture.
    ///   - canvas: The size of the canvas.
    /// - Returns: The rectangle in canvas pixels, which may reach beyond the canvas, and the visible part of the
    ///   upright picture, in that picture's pixels.
    package func resolved(content: PixelSize, canvas: PixelSize) -> (rect: PixelRect, visible: VisiblePart) {
        let box = boxSize(content: content, canvas: canvas)
        var size = box
        var visible = VisiblePart(x: 0, y: 0, width: Double(content.width), height: Double(content.height))
        let aspect = Double(content.width) / Double(max(content.height, 1))
        let boxAspect = Double(box.width) / Double(max(box.height, 1))
        switch fit {
        case .stretch: break
        case .fit:
            if aspect > boxAspect {
                size.height = min(Self.length(Double(box.width) / aspect, beside: box.width), box.height)
            } else {
                size.width = min(Self.length(Double(box.height) * aspect, beside: box.height), box.width)
            }
        case .fill where abs(aspect / boxAspect - 1) > 1e-3:
            if aspect > boxAspect {
                visible.width = visible.height * boxAspect
                visible.x = (Double(content.width) - visible.width) / 2
            } else {
                visible.height = visible.width / boxAspect
                visible.y = (Double(content.height) - visible.height) / 2
            }
        case .fill: break
        }
        let corner = origin(of: box, on: canvas)
        let rect = PixelRect(
            x: corner.x + Self.half(of: box.width - size.width), y: corner.y + Self.half(of: box.height - size.height),
            width: size.width, height: size.height)
        return (rect, visible)
    }

    func boxSize(content: PixelSize, canvas: PixelSize) -> PixelSize {
        if case .cell(let cell) = position { return cell.rect(on: canvas).size }
        let aspect = Double(content.width) / Double(max(content.height, 1))
        let wide = width.map { max(1, $0.pixels(of: canvas.width, content: content.width)) }
        let high = height.map { max(1, $0.pixels(of: canvas.height, content: content.height)) }
        switch (wide, high) {
        case (nil, nil): return canvas
        case (let wide?, let high?): return PixelSize(wide, high)
        case (content.width, nil), (nil, content.height): return content
        case (let wide?, nil): return PixelSize(wide, Self.length(Double(wide) / aspect, beside: wide))
        case (nil, let high?): return PixelSize(Self.length(Double(high) * aspect, beside: high), high)
        }
    }

    /// Rounds one side of a rectangle to whole pixels, given the other side.
    ///
    /// The result is even if `other` is even, because 4:2:0 chroma then has whole samples.
    private static func length(_ exact: Double, beside other: Int) -> Int {
        other % 2 == 0 ? max(2, Int((exact / 2).rounded()) * 2) : max(1, Int(exact.rounded()))
    }

    /// Half of the room around a centred rectangle, rounded down to an even number for whole samples of 4:2:0 chroma.
    private static func half(of room: Int) -> Int { (room / 2).roundedDown(to: 2) }

    private func origin(of box: PixelSize, on canvas: PixelSize) -> (x: Int, y: Int) {
        switch position {
        case .at(let x, let y): return (x, y)
        case .cell(let cell):
            let rect = cell.rect(on: canvas)
            return (rect.x, rect.y)
        case .anchor(let anchor):
            let room = (canvas.width - box.width, canvas.height - box.height)
            let x = [margin, Self.half(of: room.0), room.0 - margin][anchor.column]
            let y = [margin, Self.half(of: room.1), room.1 - margin][anchor.row]
            // A layer as wide or high as the canvas needs no margin in that direction.
            return (room.0 == 0 ? 0 : x, room.1 == 0 ? 0 : y)
        }
    }
}

/// A rectangular part of a picture.
///
/// Units: pixels of the picture, not necessarily whole ones; or shares of the picture's size, where a property says so.
package struct VisiblePart: Sendable, Hashable {
    /// The part's left edge, in the part's units.
    package var x: Double
    /// The part's top edge, in the part's units.
    package var y: Double
    /// The part's width, in the part's units.
    package var width: Double
    /// The part's height, in the part's units.
    package var height: Double

    /// Creates a part from its upper left corner and its size, in the part's units.
    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// The width or height of a layer on a canvas.
public enum Length: Sendable, Hashable {
    case pixels(Int)
    /// A share of the canvas's width or height: more than 0, at most 16.
    case fraction(Double)
    /// The picture's own width or height.
    case own

    /// Converts the length to pixels.
    ///
    /// - Parameters:
    ///   - whole: The canvas's width or height.
    ///   - content: The picture's width or height; nil takes the canvas's.
    /// - Returns: The length in canvas pixels.
    package func pixels(of whole: Int, content: Int? = nil) -> Int {
        switch self {
        case .pixels(let pixels): pixels
        case .own: content ?? whole
        // An even length, so that 4:2:0 chroma has whole samples.
        case .fraction(let fraction): max(2, Int((Double(whole) * fraction / 2).rounded()) * 2)
        }
    }
}

/// The way in which a picture fits into a rectangle of another aspect ratio.
public enum FitMode: String, Sendable, CaseIterable {
    /// The picture covers the rectangle; the parts beyond its edges are cropped.
    case fill
    /// The picture fits within the rectangle; beside the picture, the layers below are visible.
    case fit
    /// The picture is stretched to the rectangle's aspect ratio.
    case stretch
}

/// One of nine anchor points of a canvas: the corners, the middles of the edges, and the centre.
public enum Anchor: String, Sendable, CaseIterable {
    case topLeft = "top-left"
    case top = "top"
    case topRight = "top-right"
    case left = "left"
    case center = "center"
    case right = "right"
    case bottomLeft = "bottom-left"
    case bottom = "bottom"
    case bottomRight = "bottom-right"

    /// The anchor's column: 0 left, 1 middle, 2 right.
    var column: Int {
        switch self {
        case .topLeft, .left, .bottomLeft: 0
        case .top, .center, .bottom: 1
        case .topRight, .right, .bottomRight: 2
        }
    }

    /// The anchor's row: 0 top, 1 middle, 2 bottom.
    var row: Int {
        switch self {
        case .topLeft, .top, .topRight: 0
        case .left, .center, .right: 1
        case .bottomLeft, .bottom, .bottomRight: 2
        }
    }
}
