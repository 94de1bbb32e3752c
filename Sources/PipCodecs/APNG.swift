package import PipFrames

/// The header of an animated PNG file.
///
/// Source: W3C, Portable Network Graphics (PNG) Specification, Third Edition, 4.9 and 11.3.6.
package struct APNG: PictureHeader {
    /// The size of the canvas that all pictures share.
    package let size: PixelSize
    package let orientation: Orientation
    /// The display time of each picture.
    package var durations: [Duration] { parts.map(\.duration) }
    fileprivate let parts: [Part]
    /// The byte ranges in the file of the chunks that apply to all pictures, such as the palette.
    private let shared: [Range<Int>]

    /// A picture of the animation, which may be smaller than the canvas.
    fileprivate struct Part {
        var size: PixelSize
        var origin: (x: Int, y: Int)
        var duration: Duration
        var disposal: Disposal
        /// True when the picture is composited over the canvas; false when it replaces its area of the canvas.
        var isBlended: Bool
        /// The byte ranges in the file of the compressed pixels.
        var pixels: [Range<Int>] = []
    }

    /// The change of the canvas, in a picture's area, before the next picture is drawn.
    fileprivate enum Disposal: UInt8 {
        case stays, isCleared, comesBack
    }

    /// Reads the chunks of a PNG file; returns nil for a file without animation.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: The file's header, read as that of a still picture.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` when the animation is damaged or truncated, or has too many pictures.
    package init?(_ bytes: RawSpan, _ header: PNG.Header, subject: String) throws(CodecError) {
        (size, orientation) = (header.size, header.orientation)
        var (parts, shared): ([Part], [Range<Int>]) = ([], [])
        var (isAnimated, hasPixels) = (false, false)
        var offset = 8
        while let length = bytes.uint32(at: offset), !bytes.has("IEND", at: offset + 4) {
            let (start, end) = (offset + 8, offset + 8 + length)
            guard end + 4 <= bytes.byteCount || !isAnimated else {
                throw CodecError(subject, .damaged, "it is cut off", .byte(offset))
            }
            if bytes.has("acTL", at: offset + 4) {
                isAnimated = true
            } else if bytes.has("fcTL", at: offset + 4) {
                parts.append(try Self.part(bytes, at: start, within: size, subject))
                try PictureLimits.check(pictures: parts.count, subject: subject)
            } else if bytes.has("IDAT", at: offset + 4) {
                // An `acTL` chunk declares an animation before the first `IDAT` chunk.
                guard isAnimated else { return nil }
                hasPixels = true
                // An `IDAT` chunk before the first `fcTL` chunk is the still picture, for programs without animation.
                if !parts.isEmpty { parts[parts.count - 1].pixels.append(start..<end) }
            } else if bytes.has("fdAT", at: offset + 4), !parts.isEmpty, length >= 4 {
                parts[parts.count - 1].pixels.append(start + 4..<end)
            } else if !hasPixels, !bytes.has("IHDR", at: offset + 4) {
                shared.append(offset..<end + 4)
            }
            offset = end + 4
        }
        guard isAnimated, !parts.isEmpty else { return nil }
        (self.parts, self.shared) = (parts, shared)
    }

    /// Makes a PNG file, with invalid checksums, from one picture of the animation.
    fileprivate func file(of part: Part, in bytes: RawSpan) -> ByteBuffer {
        let file = ByteBuffer()
        unsafe bytes.withUnsafeBytes { bytes in
            func append(_ range: Range<Int>) { unsafe file.append(UnsafeRawBufferPointer(rebasing: bytes[range])) }
            func append(number: Int) {
                let part = UInt32(truncatingIfNeeded: number).bigEndian
                unsafe withUnsafeBytes(of: part) { unsafe file.append($0) }
            }
            // The signature and the header chunk, with the size of this picture.
            append(0..<16)
            append(number: part.size.width)
            append(number: part.size.height)
            append(24..<33)
            for range in shared { append(range) }
            for range in part.pixels {
                append(number: range.count)
                file.append("IDAT")
                append(range)
                append(number: 0)
            }
            append(number: 0)
            file.append("IEND")
            append(number: 0)
        }
        return file
    }

    private static func part(
        _ bytes: RawSpan, at start: Int, within canvas: PixelSize, _ subject: String
    ) throws(CodecError) -> Part {
        guard let width = bytes.uint32(at: start + 4), let height = bytes.uint32(at: start + 8),
            let x = bytes.uint32(at: start + 12), let y = bytes.uint32(at: start + 16),
            let share = bytes.uint16(at: start + 20), let whole = bytes.uint16(at: start + 22),
            let disposal = bytes.byte(at: start + 24).flatMap(Disposal.init), let blend = bytes.byte(at: start + 25),
            width > 0, height > 0, x + width <= canvas.width, y + height <= canvas.height
        else {
            throw CodecError(
                subject, .damaged, "a frame control chunk (fcTL) is invalid, or exceeds the file's \(canvas) pixels",
                .byte(start))
        }
        return Part(
            size: PixelSize(width, height), origin: (x, y),
            duration: PictureLimits.displayTime(milliseconds: share * 1000 / (whole == 0 ? 100 : whole)),
            disposal: disposal, isBlended: blend == 1)
    }
}

/// Decodes an animated PNG file to 8-bit RGBA with premultiplied alpha.
///
/// ``PNG`` decodes each picture as a separate file, and the decoder composites the pictures on a canvas.
package final class APNGDecoder: AnimationDecoder {
    private let content: ByteBuffer
    private let header: APNG
    private let subject: String
    private let canvas: APNGCanvas
    private var index = 0
    /// The canvas's pixels before the latest picture was drawn, if the picture's disposal restores them; otherwise nil.
    private var before: [UInt8]?

    /// - Parameters:
    ///   - content: The file, which must not change.
    ///   - header: The file's header.
    ///   - subject: The file's path, for messages.
    package init(_ content: ByteBuffer, _ header: APNG, subject: String) {
        (self.content, self.header, self.subject) = (content, header, subject)
        canvas = APNGCanvas(header.size)
    }

    package func next(into buffer: FrameBuffer, _ layout: FrameLayout) throws(CodecError) -> Bool {
        guard index < header.parts.count else { return false }
        if index > 0 { dispose(header.parts[index - 1]) }
        let part = header.parts[index]
        let partLayout = FrameLayout(.rgba, part.size)
        let pixels = FrameBuffer(partLayout)
        do throws(CodecError) {
            let file = content.withBytes { header.file(of: part, in: $0) }
            try file.withBytes { file throws(CodecError) in
                try PNG.decode(file, into: pixels, layout: partLayout, checksChunks: false, subject: subject)
            }
        } catch {
            throw CodecError(
                subject, error.kind, "picture \(index + 1) of \(header.parts.count): \(error.problem)", error.position)
        }
        pixels.premultiply(partLayout)
        before = part.disposal == .comesBack ? canvas.bytes : nil
        canvas.draw(pixels, partLayout, at: part.origin, isBlended: part.isBlended)
        canvas.bytes.withBytes { buffer.fill(layout, with: $0) }
        index += 1
        return true
    }

    private func dispose(_ part: APNG.Part) {
        switch part.disposal {
        case .stays: break
        case .isCleared: canvas.clear(part.size, at: part.origin)
        case .comesBack: if let before { canvas.restore(before) }
        }
    }
}

/// The canvas on which the pictures are composited; transparent at first.
private final class APNGCanvas {
    private let size: PixelSize
    /// The RGBA pixels, row by row.
    private(set) var bytes: [UInt8]

    init(_ size: PixelSize) {
        self.size = size
        bytes = Array(repeating: 0, count: size.area * 4)
    }

    func clear(_ part: PixelSize, at origin: (x: Int, y: Int)) {
        for row in 0..<part.height {
            let start = ((origin.y + row) * size.width + origin.x) * 4
            for byte in start..<start + part.width * 4 { bytes[byte] = 0 }
        }
    }

    func draw(_ pixels: FrameBuffer, _ layout: FrameLayout, at origin: (x: Int, y: Int), isBlended: Bool) {
        let source = unsafe pixels.mutableBytes(ofPlane: 0)
        for row in 0..<layout.size.height {
            let first = row * layout.planes[0].strideInBytes
            let start = ((origin.y + row) * size.width + origin.x) * 4
            for byte in 0..<layout.size.width * 4 {
                let above = unsafe Int(source[first + byte])
                // Alpha is the fourth byte of a pixel.
                let rest = isBlended ? unsafe 255 - Int(source[first + byte | 3]) : 0
                bytes[start + byte] = UInt8(min(255, above + (Int(bytes[start + byte]) * rest + 127) / 255))
            }
        }
    }

    func restore(_ bytes: [UInt8]) { self.bytes = bytes }
}
