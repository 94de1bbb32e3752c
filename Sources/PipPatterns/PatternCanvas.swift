internal import PipFrames

/// A canvas over the planes of a 4:2:0 frame, with anti-aliased edges.
///
/// Units: luma pixels.
///
/// The canvas is valid as long as its buffer exists.
@safe struct PatternCanvas {
    let size: PixelSize
    /// The clip rectangle; at first, it contains the whole canvas.
    private var clip: (left: Float, top: Float, right: Float, bottom: Float)
    private let luma: Plane
    private let blue: Plane
    private let red: Plane

    /// The samples of one component, `step` bytes apart.
    @unsafe private struct Plane {
        let start: UnsafeMutablePointer<UInt8>
        let stride: Int
        let step: Int
        let width: Int
        let height: Int
    }

    /// Creates a canvas over a buffer; nil for an empty frame, and for formats other than `i420` and `nv12`.
    init?(_ buffer: FrameBuffer, _ layout: FrameLayout) {
        guard layout.format == .i420 || layout.format == .nv12, layout.size.area > 0 else { return nil }
        let isPlanar = layout.format == .i420
        func plane(_ index: Int, offset: Int = 0, step: Int = 1) -> Plane? {
            let plane = layout.planes[index]
            guard let base = unsafe buffer.mutableBytes(ofPlane: index).baseAddress else { return nil }
            return unsafe Plane(
                start: (base + plane.offset + offset).assumingMemoryBound(to: UInt8.self), stride: plane.strideInBytes,
                step: step, width: plane.dimensions.width, height: plane.dimensions.height)
        }
        guard let luma = unsafe plane(0), let blue = unsafe plane(1, step: isPlanar ? 1 : 2),
            let red = unsafe isPlanar ? plane(2) : plane(1, offset: 1, step: 2)
        else { return nil }
        unsafe (self.luma, self.blue, self.red) = unsafe (luma, blue, red)
        size = layout.size
        clip = (0, 0, .infinity, .infinity)
    }

    /// Returns the canvas, with its clip rectangle intersected with the given rectangle.
    func clipped(left: Float, top: Float, right: Float, bottom: Float) -> PatternCanvas {
        var canvas = self
        canvas.clip = (max(left, clip.left), max(top, clip.top), min(right, clip.right), min(bottom, clip.bottom))
        return canvas
    }

    /// Fills a shape that has one span in each row.
    ///
    /// - Parameters:
    ///   - color: The fill colour.
    ///   - top: The upper edge.
    ///   - bottom: The lower edge.
    ///   - opacity: The opacity of the fill, from 0 to 1.
    ///   - span: Returns the left and right edges at a height. The span is empty where the right edge is not beyond the
    ///     left edge.
    @inline(__always)
    func fill(
        _ color: PatternColor, top: Float, bottom: Float, opacity: Float = 1,
        _ span: (Float) -> (left: Float, right: Float)
    ) {
        let rows = (top, bottom)
        unsafe fill(luma, Ink(color.luma, opacity), 1, rows, span)
        unsafe fill(blue, Ink(color.blue, opacity), 2, rows, span)
        unsafe fill(red, Ink(color.red, opacity), 2, rows, span)
    }

    /// A sample value, and the opacity to blend it with, from 0 to 1.
    private struct Ink {
        let value: UInt8
        var opacity: Float

        init(_ value: UInt8, _ opacity: Float) {
            self.value = value
            self.opacity = opacity
        }
    }

    @inline(__always)
    private func fill(
        _ plane: Plane, _ ink: Ink, _ scale: Float, _ rows: (top: Float, bottom: Float),
        _ span: (Float) -> (left: Float, right: Float)
    ) {
        // In a picture of odd size, a shape that reaches the edge covers the last chroma samples completely.
        let reach = unsafe rows.bottom >= Float(size.height) ? Float(plane.height) * scale : rows.bottom
        let top = max(rows.top, clip.top) / scale
        let bottom = unsafe min(min(reach, clip.bottom) / scale, Float(plane.height))
        guard bottom > top else { return }
        for row in unsafe Int(top)..<min(Int(bottom.rounded(.up)), plane.height) {
            let covered = min(Float(row) + 1, bottom) - max(Float(row), top)
            let (left, right) = span((max(Float(row), top) + covered / 2) * scale)
            let end = unsafe right >= Float(size.width) ? Float(plane.width) * scale : right
            let columns = (max(left, clip.left) / scale, min(end, clip.right) / scale)
            unsafe Self.blend(Ink(ink.value, covered * ink.opacity), into: plane, row: row, columns)
        }
    }

    /// Blends a value into a part of a row, weighted by the coverage of each sample.
    @unsafe @inline(__always)
    private static func blend(_ ink: Ink, into plane: Plane, row: Int, _ columns: (left: Float, right: Float)) {
        let (value, opacity) = (ink.value, ink.opacity)
        let (line, step, width) = unsafe (plane.start + row * plane.stride, plane.step, plane.width)
        let left = max(columns.left, 0)
        let right = min(columns.right, Float(width))
        guard right > left, opacity > 0 else { return }
        let first = Int(left)
        let last = min(Int(right), width - 1)
        if first == last {
            unsafe mix(line + first * step, value, (right - left) * opacity)
            return
        }
        unsafe mix(line + first * step, value, (Float(first + 1) - left) * opacity)
        if opacity >= 0.999 {
            if step == 1 {
                unsafe (line + first + 1).update(repeating: value, count: last - first - 1)
            } else {
                for column in first + 1..<last { unsafe line[column * step] = value }
            }
        } else {
            for column in first + 1..<last { unsafe mix(line + column * step, value, opacity) }
        }
        unsafe mix(line + last * step, value, (right - Float(last)) * opacity)
    }

    @unsafe @inline(__always)
    private static func mix(_ sample: UnsafeMutablePointer<UInt8>, _ value: UInt8, _ amount: Float) {
        let old = unsafe Float(sample.pointee)
        unsafe sample.pointee = UInt8(old + (Float(value) - old) * min(amount, 1) + 0.5)
    }

    /// Sets one luma sample.
    ///
    /// If both coordinates are even, the call also sets the chroma samples of the 2×2 block.
    func set(_ color: PatternColor, x: Int, y: Int) {
        unsafe luma.start[y * luma.stride + x] = color.luma
        guard x % 2 == 0, y % 2 == 0 else { return }
        unsafe blue.start[y / 2 * blue.stride + x / 2 * blue.step] = color.blue
        unsafe red.start[y / 2 * red.stride + x / 2 * red.step] = color.red
    }
}

/// Draws rectangles, ellipses and trapezoids.
extension PatternCanvas {
    /// Fills a rectangle, with rounded corners if `radius` is above 0.
    func rectangle(
        _ color: PatternColor, _ left: Float, _ top: Float, _ right: Float, _ bottom: Float, radius: Float = 0,
        opacity: Float = 1
    ) {
        guard radius > 0 else {
            return fill(color, top: top, bottom: bottom, opacity: opacity) { _ in (left, right) }
        }
        let radius = min(radius, (right - left) / 2, (bottom - top) / 2)
        fill(color, top: top, bottom: bottom, opacity: opacity) { y in
            let inside = max(top + radius - y, y - (bottom - radius), 0)
            let inset = radius - max(radius * radius - inside * inside, 0).squareRoot()
            return (left + inset, right - inset)
        }
    }

    func ellipse(_ color: PatternColor, _ x: Float, _ y: Float, _ radiusX: Float, _ radiusY: Float, opacity: Float = 1)
    {
        guard radiusX > 0, radiusY > 0 else { return }
        fill(color, top: y - radiusY, bottom: y + radiusY, opacity: opacity) { row in
            let height = (row - y) / radiusY
            let half = radiusX * max(1 - height * height, 0).squareRoot()
            return (x - half, x + half)
        }
    }

    /// A horizontal edge of a trapezoid: its row, and its left and right ends.
    typealias Edge = (y: Float, left: Float, right: Float)

    /// Fills the trapezoid between two horizontal edges; draws nothing unless `lower` lies below `upper`.
    func trapezoid(_ color: PatternColor, from upper: Edge, to lower: Edge, opacity: Float = 1) {
        guard lower.y > upper.y else { return }
        fill(color, top: upper.y, bottom: lower.y, opacity: opacity) { y in
            let part = (y - upper.y) / (lower.y - upper.y)
            return (
                upper.left + (lower.left - upper.left) * part, upper.right + (lower.right - upper.right) * part
            )
        }
    }
}
