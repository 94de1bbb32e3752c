internal import PipFrames
internal import PipGraph

extension LayerMotion.ShownPlace {
    /// Computes the place that a placement gives to a picture, and the size of the upright picture.
    ///
    /// - Parameters:
    ///   - placement: The placement.
    ///   - image: The size of the image that contains the picture.
    ///   - crops: The crops of the upright image, applied in order.
    ///   - orientation: The transform that shows the image upright.
    ///   - canvas: The size of the canvas.
    /// - Returns: The place, and the size of the upright picture in pixels.
    static func of(
        _ placement: Placement, image: PixelSize, crops: [UnitRect], orientation: Orientation, canvas: PixelSize
    ) -> (place: Self, content: PixelSize) {
        let bounds = (placement.crop ?? image.bounds).intersection(image.bounds)
        let crop = crops.reduce(bounds) { $1.mapped(by: Mapping(orientation)).part(of: $0) }
        let turned = orientation.then(placement.orientation)
        let content = turned.size(of: crop.size)
        let (rect, part) = placement.resolved(content: content, canvas: canvas)
        let (width, height) = (Double(content.width), Double(content.height))
        let visible = VisiblePart(
            x: part.x / width, y: part.y / height, width: part.width / width, height: part.height / height)
        return (Self(rect: rect, visible: visible, crop: crop, orientation: turned), content)
    }

    /// Computes the place at a share of the motion to another place.
    ///
    /// If the two places differ in orientation, only the rectangle moves; the orientation changes at once.
    ///
    /// - Parameters:
    ///   - end: The place at the end of the motion.
    ///   - share: The progress of the motion, 0…1.
    ///   - image: The size of the image that contains the picture.
    /// - Returns: The place.
    func moved(to end: Self, by share: Double, in image: PixelSize) -> Self {
        var result = end
        result.rect = rect.moved(to: end.rect, by: share)
        guard orientation == end.orientation else { return result }
        let exact = (
            x: Double(crop.x).moved(to: Double(end.crop.x), by: share),
            y: Double(crop.y).moved(to: Double(end.crop.y), by: share),
            maxX: Double(crop.maxX).moved(to: Double(end.crop.maxX), by: share),
            maxY: Double(crop.maxY).moved(to: Double(end.crop.maxY), by: share)
        )
        let (left, top) = (Int(exact.x.rounded(.down)), Int(exact.y.rounded(.down)))
        let whole = PixelRect(
            x: left, y: top, width: Int(exact.maxX.rounded(.up)) - left, height: Int(exact.maxY.rounded(.up)) - top
        ).intersection(image.bounds)
        guard !whole.isEmpty else { return result }
        result.crop = whole
        let (width, height) = (Double(whole.width), Double(whole.height))
        let part = UnitRect(
            x: (exact.x - Double(whole.x)) / width, y: (exact.y - Double(whole.y)) / height,
            width: (exact.maxX - exact.x) / width, height: (exact.maxY - exact.y) / height
        ).mapped(by: Mapping(orientation.inverse))
        let between = visible.moved(to: end.visible, by: share)
        result.visible = VisiblePart(
            x: part.x + between.x * part.width, y: part.y + between.y * part.height,
            width: between.width * part.width, height: between.height * part.height)
        return result
    }
}

extension LayerMotion {
    /// Moves a layer's rectangle towards the canvas's outside, by the shares ``right`` and ``down`` of the way there.
    ///
    /// - Parameters:
    ///   - rect: The rectangle of the layer's place.
    ///   - look: The layer's look, whose shadow leaves the canvas, too.
    ///   - canvas: The size of the canvas.
    /// - Returns: The rectangle, on whole pixels.
    func displaced(_ rect: PixelRect, _ look: LayerLook, on canvas: PixelSize) -> PixelRect {
        if right == 0 && down == 0 { return rect }
        var outer = rect
        if let shadow = look.shadow {
            let blur = Int(shadow.blur.rounded(.up))
            outer.y += Int(shadow.offset.rounded())
            outer = rect.union(outer.insetBy(-blur))
        }
        func distance(_ share: Double, _ near: Int, _ far: Int, _ whole: Int) -> Int {
            Int((share * Double(max(share > 0 ? whole - near : far, 0))).rounded())
        }
        var moved = rect
        moved.x += distance(right, outer.x, outer.maxX, canvas.width)
        moved.y += distance(down, outer.y, outer.maxY, canvas.height)
        return moved
    }
}
