/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Creates a size from a width and a height in pixels.
    public init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// The size of 720p video, 1280×720.
    public static let hd720 = PixelSize(1280, 720)
    /// The size of 1080p video, 1920×1080.
    public static let hd1080 = PixelSize(1920, 1080)
    /// The size of 2160p (4K UHD) video, 3840×2160.
    public static let uhd2160 = PixelSize(3840, 2160)

    /// The number of pixels, saturating at `Int.max`, because sizes in broken files and from drivers must not trap.
    public var area: Int {
        let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
        return isTooLarge ? .max : area
    }

    /// The size with width and height exchanged.
    public var transposed: PixelSize { PixelSize(height, width) }

    /// The rectangle of this size at the origin.
    public var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// The size in its usual notation: `1280x720`.
    public var description: String { "\(width)x\(height)" }
}
