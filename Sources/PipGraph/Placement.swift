public import PipFrames

/// The place of a layer on its canvas, and the fit of its picture into that place.
public struct Placement: Sendable, Hashable {
    /// The position of the layer's rectangle.
    public enum Position: Sendable, Hashable {
        /// An edge, a corner or the middle, at the distance `margin` from the edges.
        case anchor(Anchor)
        /// The upper left corner, in canvas pixels.
        case at(x: Int, y: Int)
        /// One of the equal parts of the canvas, which gives the size, too.
        case cell(Cell)
    }

    /// A part of a canvas that is divided into columns and rows.
    public struct Cell: Sendable, Hashable {
        /// The column, from 0 at the left.
        public var column: Int
        /// The row, from 0 at the top.
        public var row: Int
        /// The number of columns of the canvas.
        public var columns: Int
        /// The number of rows of the canvas.
        public var rows: Int

        /// A cell of a grid of `columns` × `rows`.
        public init(column: Int, row: Int, columns: Int, rows: Int) {
            self.column = column
            self.row = row
            self.columns = columns
            self.rows = rows
        }

        /// The rectangle of the cell.
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

    /// The position of the rectangle.
    public var position: Position = .anchor(.topLeft)
    /// The width of the rectangle.
    ///
    /// A width or a height alone keeps the picture's shape. Without both, the rectangle fills the canvas.
    public var width: Length?
    /// The height; see ``width``.
    public var height: Length?
    /// The distance from the canvas's edges in pixels.
    ///
    /// Only anchors use it.
    public var margin: Int = 0
    /// The fit of a picture of another shape.
    public var fit: FitMode = .fill
    /// The part of the stored picture that is shown, in its pixels; nil shows all of it.
    public var crop: PixelRect?
    /// The turn and mirroring that follow the picture's own orientation.
    public var orientation: Orientation = .identity

    /// A placement that fills the canvas.
    public init() {}

    /// A placement that fills the canvas.
    public static let full = Placement()

    /// The position of an upright picture of `content` pixels on a canvas.
    ///
    /// - Returns: `rect`, the rectangle in canvas pixels, which may reach beyond the canvas; and `part`, the part of
    ///   the upright picture that it shows, in that picture's pixels.
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

    /// The length that a picture's shape gives beside another one.
    ///
    /// Even beside an even one, where 4:2:0 chroma has whole samples.
    private static func length(_ exact: Double, beside other: Int) -> Int {
        other % 2 == 0 ? max(2, Int((exact / 2).rounded()) * 2) : max(1, Int(exact.rounded()))
    }

    /// Half of the room beside a centred rectangle; even for the same reason.
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
            // A layer that fills the canvas keeps no distance from its edges.
            return (room.0 == 0 ? 0 : x, room.1 == 0 ? 0 : y)
        }
    }
}

/// A part of a picture in its pixels, not necessarily whole ones.
package struct VisiblePart: Sendable, Hashable {
    /// The left edge.
    package var x: Double
    /// The top edge.
    package var y: Double
    /// The width.
    package var width: Double
    /// The height.
    package var height: Double

    /// A part by its upper left corner and its size.
    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// A length on a canvas.
public enum Length: Sendable, Hashable {
    case pixels(Int)
    /// A share of the canvas's width or height, 0…1.
    case fraction(Double)
    /// The picture's own width or height.
    case own

    /// The length on a canvas, in pixels.
    ///
    /// - Parameters:
    ///   - whole: The canvas's width or height.
    ///   - content: The picture's width or height; nil takes the canvas's.
    /// - Returns: The length in pixels.
    package func pixels(of whole: Int, content: Int? = nil) -> Int {
        switch self {
        case .pixels(let pixels): pixels
        case .own: content ?? whole
        // Even, so that 4:2:0 chroma falls on whole samples.
        case .fraction(let fraction): max(2, Int((Double(whole) * fraction / 2).rounded()) * 2)
        }
    }
}

/// The fit of a picture into a rectangle of another shape.
public enum FitMode: String, Sendable, CaseIterable {
    /// The picture covers the rectangle; its parts beyond the edges are cut off.
    case fill
    /// The picture lies within the rectangle; beside it, the layers below show.
    case fit
    /// The picture is distorted to the rectangle's shape.
    case stretch
}

/// One of the nine places of a canvas.
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

    /// The column: 0 left, 1 middle, 2 right.
    var column: Int {
        switch self {
        case .topLeft, .left, .bottomLeft: 0
        case .top, .center, .bottom: 1
        case .topRight, .right, .bottomRight: 2
        }
    }

    /// The row: 0 top, 1 middle, 2 bottom.
    var row: Int {
        switch self {
        case .topLeft, .top, .topRight: 0
        case .left, .center, .right: 1
        case .bottomLeft, .bottom, .bottomRight: 2
        }
    }
}
