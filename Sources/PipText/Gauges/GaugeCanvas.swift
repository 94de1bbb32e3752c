internal import PipFrames
internal import PipSources

/// The square on which a gauge is drawn: paths and texts over a ground that is drawn once.
///
/// Thread: one at a time.
final class GaugeCanvas {
    /// The width and the height in pixels.
    let size: Int
    /// The middle.
    let center: SIMD2<Double>
    private let label: String
    private let rasterizer: PathRasterizer
    private let warn: @Sendable (String) -> Void
    /// The typesetters of the texts, keyed by the size of their letters.
    private var typesetters: [Int: Typesetter] = [:]
    private var pool: FramePool
    private let ground: FrameBuffer
    /// The buffer that is drawn into.
    private var buffer: FrameBuffer
    private var count: UInt64 = 0

    /// - Throws: ``SourceError`` when a library or the font is missing.
    init(size: Int, label: String, warn: @escaping @Sendable (String) -> Void) throws(SourceError) {
        (self.size, self.label, self.warn) = (size, label, warn)
        center = SIMD2(repeating: Double(size) / 2)
        rasterizer = try PathRasterizer(label: label)
        // The pictures that are shown, read ahead and being drawn, as for texts.
        pool = FramePool(FrameLayout(.rgba, PixelSize(size, size)), limit: 4)
        ground = FrameBuffer(pool.layout)
        buffer = ground
        PaintedCanvas(ground, pool.layout).fill(Ink(.clear))
    }

    /// Draws a picture over the ground.
    func picture(_ draw: () throws(SourceError) -> Void) throws(SourceError) -> Frame {
        buffer = pool.next() ?? FrameBuffer(pool.layout)
        defer { buffer = ground }
        unsafe buffer.mutableBytes(ofPlane: 0).copyMemory(from: UnsafeRawBufferPointer(ground.mutableBytes(ofPlane: 0)))
        try draw()
        count += 1
        return Frame(info: FrameInfo(layout: pool.layout, colorimetry: .srgb, sequence: count), buffer: buffer)
    }

    /// Fills a path: into the picture, or outside of ``picture(_:)`` into the ground.
    func fill(_ color: Color, _ build: (inout VectorPath) -> Void) {
        var path = VectorPath()
        build(&path)
        let shape = rasterizer.coverage(of: path)
        PaintedCanvas(buffer, pool.layout).draw(shape, x: shape.left, y: -shape.top, Ink(color))
    }

    /// Draws a text around a point.
    func write(_ text: String, size letters: Double, at point: SIMD2<Double>) throws(SourceError) {
        let letters = min(max(Int(letters.rounded()), TextStyle.sizes.lowerBound), TextStyle.sizes.upperBound)
        let typesetter: Typesetter
        if let known = typesetters[letters] {
            typesetter = known
        } else {
            typesetter = try Typesetter(TextStyle(size: letters, alignment: .center), label: label, warn: warn)
            typesetters[letters] = typesetter
        }
        let layout = try typesetter.layout(text)
        let corner = point - SIMD2(Double(layout.size.width), Double(layout.size.height)) / 2
        TextPainter(style: typesetter.style).paint(
            layout, on: PaintedCanvas(buffer, pool.layout), x: Int(corner.x.rounded()), y: Int(corner.y.rounded()),
            width: layout.size.width)
    }
}
