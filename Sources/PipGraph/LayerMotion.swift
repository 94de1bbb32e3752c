package import PipFrames

/// The place of a layer between two others in one frame.
package struct LayerMotion: Sendable, Hashable {
    /// The place at which a motion begins.
    package enum Origin: Sendable, Hashable {
        /// A place as a plan has drawn it.
        case shown(ShownPlace)
        /// A place as a layer has it in the graph.
        case placement(Placement)
    }

    /// A place as a plan has drawn it.
    package struct ShownPlace: Sendable, Hashable {
        /// The layer's rectangle in canvas pixels.
        package var rect: PixelRect
        /// The part of its picture, turned as it is shown, in shares of the crop.
        package var visible: VisiblePart
        /// The stored part of the image that is the picture, in its samples.
        package var crop: PixelRect
        /// The turns between the stored and the shown picture.
        package var orientation: Orientation

        /// A place from its parts.
        package init(rect: PixelRect, visible: VisiblePart, crop: PixelRect, orientation: Orientation) {
            self.rect = rect
            self.visible = visible
            self.crop = crop
            self.orientation = orientation
        }
    }

    /// The place at which the motion begins; nil for a layer at its own place.
    package var origin: Origin?
    /// The share of the way from `origin` to the layer's own place, 0…1.
    package var progress = 1.0
    /// The share of the way from its place to the right beyond the canvas.
    ///
    /// Negative values lead to the left.
    package var right = 0.0
    /// The share of the way from its place to below the canvas.
    ///
    /// Negative values lead above it.
    package var down = 0.0

    /// A layer at its place.
    package init() {}

    /// True when there is no motion.
    package var isAtRest: Bool { origin == nil && right == 0 && down == 0 }
}

extension PixelRect {
    /// The rectangle on the way to another one: each edge moves by itself and is rounded to a pixel.
    ///
    /// - Parameters:
    ///   - other: The other rectangle.
    ///   - share: The share of the way, 0…1.
    /// - Returns: The rectangle, of at least one pixel.
    package func moved(to other: PixelRect, by share: Double) -> PixelRect {
        func edge(_ from: Int, _ to: Int) -> Int { Int((Double(from) + Double(to - from) * share).rounded()) }
        let (left, top) = (edge(x, other.x), edge(y, other.y))
        return PixelRect(
            x: left, y: top, width: max(1, edge(maxX, other.maxX) - left), height: max(1, edge(maxY, other.maxY) - top))
    }
}

extension VisiblePart {
    /// The part on the way to another one.
    package func moved(to other: VisiblePart, by share: Double) -> VisiblePart {
        VisiblePart(
            x: x.moved(to: other.x, by: share), y: y.moved(to: other.y, by: share),
            width: width.moved(to: other.width, by: share), height: height.moved(to: other.height, by: share))
    }
}

extension LayerLook {
    /// The look on the way to another one; its resampling is the other's.
    ///
    /// A border that only one of them has grows from no width, in its colour, and a shadow from no opacity.
    ///
    /// - Parameters:
    ///   - other: The other look.
    ///   - share: The share of the way, 0…1.
    /// - Returns: The look; exactly the other one at the end.
    package func moved(to other: LayerLook, by share: Double) -> LayerLook {
        if share >= 1 { return other }
        var look = other
        look.opacity = opacity.moved(to: other.opacity, by: share)
        look.cornerRadius = cornerRadius.moved(to: other.cornerRadius, by: share)
        look.border = Border.between(border, other.border, share)
        look.shadow = Shadow.between(shadow, other.shadow, share)
        return look
    }
}

extension LayerLook.Border {
    fileprivate static func between(_ from: Self?, _ to: Self?, _ share: Double) -> Self? {
        guard let color = to?.color ?? from?.color else { return nil }
        let start = from?.color ?? color
        return Self(
            width: (from?.width ?? 0).moved(to: to?.width ?? 0, by: share), color: start.moved(to: color, by: share))
    }
}

extension LayerLook.Shadow {
    fileprivate static func between(_ from: Self?, _ to: Self?, _ share: Double) -> Self? {
        guard let end = to ?? from else { return nil }
        let start = from ?? end
        return Self(
            blur: start.blur.moved(to: end.blur, by: share), offset: start.offset.moved(to: end.offset, by: share),
            opacity: (from?.opacity ?? 0).moved(to: to?.opacity ?? 0, by: share))
    }
}

extension Color {
    fileprivate func moved(to other: Color, by share: Double) -> Color {
        Color(
            red: red.moved(to: other.red, by: share), green: green.moved(to: other.green, by: share),
            blue: blue.moved(to: other.blue, by: share), alpha: alpha.moved(to: other.alpha, by: share))
    }
}

extension Double {
    /// The number on the way to another one.
    package func moved(to other: Double, by share: Double) -> Double { self + (other - self) * share }
}
