/// A rectangle in whole pixels; the origin is at the top left, and y points down.
public struct PixelRect: Hashable, Sendable, CustomStringConvertible {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Creates a rectangle from its top left pixel and its size.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The width and height of the rectangle.
    public var size: PixelSize { PixelSize(width, height) }
    /// The first column to the right of the rectangle.
    public var maxX: Int { x + width }
    /// The first row below the rectangle.
    public var maxY: Int { y + height }
    /// True when the rectangle covers no pixel.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The intersection with another rectangle; empty when the two do not overlap.
    public func intersection(_ other: PixelRect) -> PixelRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return PixelRect(
            x: left, y: top, width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
    }

    /// The smallest rectangle that contains both rectangles; empty rectangles do not count.
    public func union(_ other: PixelRect) -> PixelRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// True when `other` lies entirely within this rectangle.
    public func contains(_ other: PixelRect) -> Bool {
        other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
    }

    /// The rectangle with every side moved inwards by a margin, or outwards by a negative margin.
    package func insetBy(_ margin: Int) -> PixelRect {
        PixelRect(x: x + margin, y: y + margin, width: width - 2 * margin, height: height - 2 * margin)
    }

    /// The smallest rectangle around this one whose edges are multiples of the block's size.
    package func alignedOutward(toWidth blockWidth: Int, height blockHeight: Int) -> PixelRect {
        let left = x.roundedDown(to: blockWidth)
        let top = y.roundedDown(to: blockHeight)
        return PixelRect(
            x: left, y: top, width: maxX.roundedUp(to: blockWidth) - left, height: maxY.roundedUp(to: blockHeight) - top
        )
    }

    /// The largest rectangle within this one whose edges are multiples of the block's size; it may be empty.
    package func alignedInward(toWidth blockWidth: Int, height blockHeight: Int) -> PixelRect {
        let left = x.roundedUp(to: blockWidth)
        let top = y.roundedUp(to: blockHeight)
        return PixelRect(
            x: left, y: top, width: max(0, maxX.roundedDown(to: blockWidth) - left),
            height: max(0, maxY.roundedDown(to: blockHeight) - top))
    }

    /// The part of this rectangle outside `other`, as up to four rectangles that do not overlap.
    package func subtracting(_ other: PixelRect) -> [PixelRect] {
        let hole = intersection(other)
        if hole.isEmpty { return isEmpty ? [] : [self] }
        let parts = [
            PixelRect(x: x, y: y, width: width, height: hole.y - y),
            PixelRect(x: x, y: hole.y, width: hole.x - x, height: hole.height),
            PixelRect(x: hole.maxX, y: hole.y, width: maxX - hole.maxX, height: hole.height),
            PixelRect(x: x, y: hole.maxY, width: width, height: maxY - hole.maxY),
        ]
        return parts.filter { !$0.isEmpty }
    }

    /// The rectangle in X11's notation: `320x180+936+24`.
    public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}

extension Int {
    /// The largest multiple of `step` that is not greater than this number.
    package func roundedDown(to step: Int) -> Int {
        let remainder = self % step
        return remainder < 0 ? self - remainder - step : self - remainder
    }

    /// The smallest multiple of `step` that is not less than this number.
    package func roundedUp(to step: Int) -> Int { -(-self).roundedDown(to: step) }

    /// This number, 0 or more, divided by `divisor`, and rounded up.
    package func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
