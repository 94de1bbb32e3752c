/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    public var width: Int
    public var height: Int

    public init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    public static let hd720 = PixelSize(1280, 720)
    public static let hd1080 = PixelSize(1920, 1080)
    public static let uhd2160 = PixelSize(3840, 2160)

    /// Width times height; the largest number there is where that is not enough, as for sizes that broken files and drivers claim.
    public var area: Int {
        let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
        return isTooLarge ? .max : area
    }

    /// The size after a quarter turn.
    public var transposed: PixelSize { PixelSize(height, width) }

    /// The rectangle from the origin that has this size.
    public var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// As people write it: `1280x720`.
    public var description: String { "\(width)x\(height)" }
}
