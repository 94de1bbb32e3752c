/// The badge drawn on the last frame of a source that delivers no more frames: a pause sign.
///
/// The badge is centred at the upper edge, where round pictures show it, too.
final class Badge: LivePicture {
    private let frame: Frame

    /// - Parameter size: The size of the source's upright picture.
    init(_ size: PixelSize) { frame = Self.frame(size) }

    /// The format of the badge picture for a source's picture of the given size.
    static func format(_ size: PixelSize) -> SourceFormat {
        var format = SourceFormat(layout: FrameLayout(.rgba, size), colorimetry: .srgb)
        format.isStill = true
        return format
    }

    /// Draws a disc of black at 60 % opacity with two white bars, on a transparent picture.
    static func frame(_ size: PixelSize) -> Frame {
        let layout = FrameLayout(.rgba, size)
        let buffer = FrameBuffer(layout)
        let pixels = unsafe buffer.mutableBytes(ofPlane: 0)
        unsafe pixels.initializeMemory(as: UInt8.self, repeating: 0)
        let diameter = max(8, min(size.width, size.height) / 6)
        let margin = diameter / 3
        let left = max(0, (size.width - diameter) / 2)
        for y in 0..<max(0, min(diameter, size.height - margin)) {
            for x in 0..<min(diameter, size.width - left) {
                let (right, down) = (2 * x + 1 - diameter, 2 * y + 1 - diameter)
                guard right * right + down * down <= diameter * diameter else { continue }
                // Each bar lies between 10 % and 30 % of the diameter beside the middle.
                let isBar = (diameter...3 * diameter).contains(5 * abs(right)) && 2 * abs(down) <= diameter
                let pixel: UInt32 = isBar ? 0xffff_ffff : 0x9900_0000
                let place = (margin + y) * layout.planes[0].strideInBytes + 4 * (left + x)
                unsafe pixels.storeBytes(of: pixel.littleEndian, toByteOffset: place, as: UInt32.self)
            }
        }
        return Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: buffer)
    }

    var description: SourceDescription {
        SourceDescription(
            name: "badge", layout: frame.layout, colorimetry: .srgb, rate: FrameRate(30), length: .endless,
            isStill: true)
    }

    func start() {}
    func stop() {}

    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame { LiveFrame(frame) }
}
