public import PipFrames

extension Placement {
    /// The placement after a user has dragged its rectangle to a new position.
    ///
    /// The rectangle stays within the canvas, with its left and top edges on even pixels. A rectangle larger than the
    /// canvas covers the canvas. Near an anchor, the rectangle instead snaps to the anchor with its ``margin``, which
    /// then holds for canvases of other sizes, too.
    ///
    /// - Parameters:
    ///   - x: The requested left edge, in canvas pixels.
    ///   - y: The requested top edge, in canvas pixels.
    ///   - content: The size of the upright picture.
    ///   - canvas: The size of the canvas.
    ///   - reach: The distance along each axis within which the rectangle snaps to an anchor, in canvas pixels; 0 never
    ///     snaps.
    /// - Returns: The placement at its new position, in its former size.
    public func dragged(toX x: Int, y: Int, content: PixelSize, canvas: PixelSize, reach: Int = 16) -> Placement {
        var result = self
        if case .cell = position {
            // A cell also sets the size, which must survive the change of position.
            let box = boxSize(content: content, canvas: canvas)
            (result.width, result.height) = (.pixels(box.width), .pixels(box.height))
        }
        let rect = result.resolved(content: content, canvas: canvas).rect
        func limited(_ edge: Int, _ length: Int, _ whole: Int) -> Int {
            // An odd overhang leaves its last pixel unused, as rounding it up would uncover the canvas's last pixel.
            min(max(edge, -max(length - whole, 0).roundedDown(to: 2)), max(whole - length, 0)).roundedDown(to: 2)
        }
        let (x, y) = (limited(x, rect.width, canvas.width), limited(y, rect.height, canvas.height))
        var nearest: (anchor: Anchor, distance: Int)?
        for anchor in Anchor.allCases where reach > 0 {
            result.position = .anchor(anchor)
            let place = result.resolved(content: content, canvas: canvas).rect
            let distance = max(abs(place.x - x), abs(place.y - y))
            if distance <= reach, distance < nearest?.distance ?? .max { nearest = (anchor, distance) }
        }
        if let nearest {
            result.position = .anchor(nearest.anchor)
        } else {
            // A rectangle that ``FitMode/fit`` makes smaller lies inside its box: place the box so that the rectangle
            // is at (x, y).
            result.position = .at(x: 0, y: 0)
            let inner = result.resolved(content: content, canvas: canvas).rect
            result.position = .at(x: x - inner.x, y: y - inner.y)
        }
        return result
    }

    /// The placement after a user has resized its rectangle at a corner.
    ///
    /// The rectangle keeps its aspect ratio, but a height that does not follow the picture's aspect ratio is limited to
    /// the canvas's height. The new width is a share of the canvas's width, so that it scales with the canvas. A
    /// rectangle at an anchor grows away from the anchor.
    ///
    /// - Parameters:
    ///   - width: The requested width in canvas pixels, limited to 16…the canvas's width.
    ///   - content: The size of the upright picture.
    ///   - canvas: The size of the canvas.
    /// - Returns: The placement in its new size.
    public func resized(toWidth width: Int, content: PixelSize, canvas: PixelSize) -> Placement {
        var result = self
        let box = boxSize(content: content, canvas: canvas)
        if case .cell(let cell) = position {
            let rect = cell.rect(on: canvas)
            result.position = .at(x: rect.x, y: rect.y)
        }
        let share = Double(min(max(width, 16), canvas.width)) / Double(max(canvas.width, 1))
        result.width = .fraction(share)
        let keepsShape = self.height == nil && self.width != nil
        let ratio = Double(box.height) / Double(max(canvas.height, 1))
        result.height =
            keepsShape ? nil : .fraction(min(ratio * share * Double(canvas.width) / Double(max(box.width, 1)), 1))
        return result
    }
}
