/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A size from a width and a height in pixels.
    public init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// 1280×720.
    public static let hd720 = PixelSize(1280, 720)
    /// 1920×1080.
    public static let hd1080 = PixelSize(1920, 1080)
    /// 3840×2160.
    public static let uhd2160 = PixelSize(3840, 2160)

    /// Width times height, saturating at `Int.max`: sizes that broken files and drivers claim must not trap.
    public var area: Int {
        let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
        return isTooLarge ? .max : area
    }

    /// The size after a quarter turn.
    public var transposed: PixelSize { PixelSize(height, width) }

    /// The rectangle from the origin that has this size.
    public var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// The size in its usual form: `1280x720`.
    public var description: String { "\(width)x\(height)" }
}
