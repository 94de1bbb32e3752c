package import PipFrames

/// The position of a moving layer in one frame.
package struct LayerMotion: Sendable, Hashable {
    /// The place at which a motion starts.
    package enum Origin: Sendable, Hashable {
        /// The place at which this layer, or the layer that showed the picture before, was drawn.
        case shown(ShownPlace)
        /// A place as configured in the graph.
        case placement(Placement)
    }

    /// The rectangle, crop and orientation of a layer in a plan.
    package struct ShownPlace: Sendable, Hashable {
        /// The layer's rectangle.
        ///
        /// Units: canvas pixels.
        package var rect: PixelRect
        /// The visible part of the layer's picture, after its rotation.
        ///
        /// Units: shares of the crop.
        package var visible: VisiblePart
        /// The part of the stored picture that the layer may show.
        ///
        /// Units: samples of the stored picture.
        package var crop: PixelRect
        /// The orientation that turns the stored picture into the shown one.
        package var orientation: Orientation

        /// Creates a place.
        ///
        /// The units are those of the properties.
        package init(rect: PixelRect, visible: VisiblePart, crop: PixelRect, orientation: Orientation) {
            self.rect = rect
            self.visible = visible
            self.crop = crop
            self.orientation = orientation
        }
    }

    /// The place from which the layer moves to its configured place; nil without such a move.
    package var origin: Origin?
    /// The share of the way from `origin` to the configured place, 0…1.
    package var progress = 1.0
    /// The horizontal offset, as a share of the way out of the canvas: 1 is beyond the right edge, -1 beyond the left
    /// one.
    package var right = 0.0
    /// The vertical offset, as a share of the way out of the canvas: 1 is below the lower edge, -1 above the upper one.
    package var down = 0.0

    /// Creates the position of a layer at its configured place.
    package init() {}
}

extension PixelRect {
    /// Interpolates between this rectangle and another one.
    ///
    /// Each edge moves separately, and is rounded to a pixel.
    ///
    /// - Parameters:
    ///   - other: The rectangle at the end.
    ///   - share: The weight of `other`, 0…1.
    /// - Returns: The interpolated rectangle, at least one pixel wide and high.
    package func moved(to other: PixelRect, by share: Double) -> PixelRect {
        func edge(_ from: Int, _ to: Int) -> Int { Int((Double(from) + Double(to - from) * share).rounded()) }
        let (left, top) = (edge(x, other.x), edge(y, other.y))
        return PixelRect(
            x: left, y: top, width: max(1, edge(maxX, other.maxX) - left), height: max(1, edge(maxY, other.maxY) - top))
    }
}

extension VisiblePart {
    /// Interpolates between this part and another one; a share of 1 gives the other.
    package func moved(to other: VisiblePart, by share: Double) -> VisiblePart {
        VisiblePart(
            x: x.moved(to: other.x, by: share), y: y.moved(to: other.y, by: share),
            width: width.moved(to: other.width, by: share), height: height.moved(to: other.height, by: share))
    }
}

extension LayerLook {
    /// Interpolates between this look and another one.
    ///
    /// The resampling filter is always that of `other`.
    ///
    /// A border that only one of the looks has starts or ends with no width, in its own colour. A shadow that only one
    /// of the looks has starts or ends with no opacity.
    ///
    /// - Parameters:
    ///   - other: The look at the end.
    ///   - share: The weight of `other`, 0…1.
    /// - Returns: The interpolated look; exactly `other` for a share of 1.
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
    /// Interpolates linearly between this number and another one; a share of 1 gives the other.
    package func moved(to other: Double, by share: Double) -> Double { self + (other - self) * share }
}
