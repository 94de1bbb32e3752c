package import PipFrames
package import PipGraph

/// The position and size of a picture on an area of another size, such as a window or a screen.
package struct PicturePlace: Equatable {
    /// The part of the picture that is visible, in the picture's pixels.
    package let source: PixelRect
    /// The part of the area that the picture covers, in the area's pixels; the area's other pixels are black.
    package let target: PixelRect

    /// - Parameters:
    ///   - picture: The picture's size after its rotation; not empty.
    ///   - area: The area's size; not empty.
    ///   - fit: The fit of the picture into the area.
    package init(of picture: PixelSize, on area: PixelSize, _ fit: FitMode) {
        // Products are compared instead of quotients, because products of integers are exact.
        let (across, along) = (picture.width * area.height, picture.height * area.width)
        switch fit {
        case .stretch:
            (source, target) = (picture.bounds, area.bounds)
        case .fit:
            source = picture.bounds
            let size =
                across >= along
                ? PixelSize(area.width, Self.rounded(picture.height * area.width, picture.width))
                : PixelSize(Self.rounded(picture.width * area.height, picture.height), area.height)
            target = Self.centred(size, in: area)
        case .fill:
            target = area.bounds
            let size =
                across >= along
                ? PixelSize(Self.rounded(picture.height * area.width, area.height), picture.height)
                : PixelSize(picture.width, Self.rounded(picture.width * area.height, area.width))
            source = Self.centred(size, in: picture)
        }
    }

    private static func rounded(_ numerator: Int, _ denominator: Int) -> Int {
        max(1, (2 * numerator + denominator) / (2 * denominator))
    }

    private static func centred(_ size: PixelSize, in area: PixelSize) -> PixelRect {
        PixelRect(
            x: (area.width - size.width) / 2, y: (area.height - size.height) / 2, width: size.width,
            height: size.height)
    }
}
