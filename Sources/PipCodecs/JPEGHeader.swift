package import PipFrames

/// The header of a JPEG picture: size, components and chroma subsampling.
///
/// Source: ITU-T T.81, annex B; JFIF 1.02; libjpeg's convention for three components without a marker.
package struct JPEGHeader: PictureHeader, Equatable, Sendable {
    /// The chroma subsampling, or another arrangement of the components.
    package enum Sampling: Equatable, Sendable {
        /// Luma only.
        case gray
        case yuv420, yuv422, yuv444, yuv440
        /// Luma and chroma with a subsampling that has no case of its own.
        case yuvOther
        /// Red, green and blue, without a transform to Y'CbCr.
        case rgb
    }

    package let size: PixelSize
    package let sampling: Sampling
    package let isProgressive: Bool
    /// The orientation from the EXIF segment; the identity when the picture has none.
    package let orientation: Orientation

    /// The cheapest format that keeps all chroma samples: I420 for 4:2:0, grey for grey, RGB for the others.
    package var fullFormat: PixelFormat {
        switch sampling {
        case .gray: .gray
        case .yuv420: .i420
        case .yuv422, .yuv444, .yuv440, .yuvOther, .rgb: .rgb24
        }
    }

    /// The format that decodes fastest: I420 for chroma from 4:2:0 to 4:4:4, grey for grey, RGB for the others.
    ///
    /// I420 loses chroma samples of pictures whose chroma is finer than 4:2:0.
    package var fastFormat: PixelFormat {
        switch sampling {
        case .gray: .gray
        case .yuv420, .yuv422, .yuv444, .yuv440: .i420
        case .yuvOther, .rgb: .rgb24
        }
    }

    /// Reads the segments of a picture up to the first scan.
    ///
    /// - Parameters:
    ///   - bytes: The picture.
    ///   - subject: The path of the file or of the camera, for messages.
    /// - Throws: ``CodecError`` when the data is not a JPEG picture, is damaged or too large, or of an unsupported kind
    ///   (CMYK, lossless, 12 bits).
    package init(_ bytes: RawSpan, subject: String) throws(CodecError) {
        guard bytes.byte(at: 0) == 0xff, bytes.byte(at: 1) == 0xd8 else {
            let start = bytes.isEmpty ? "it is empty" : "it begins with \(bytes.hexadecimal(prefix: 4))"
            throw CodecError(subject, .damaged, "not a JPEG picture: \(start)", .byte(0))
        }
        var segments = Segments(subject: subject)
        try segments.read(bytes)
        guard let frame = segments.frame else {
            throw CodecError(subject, .damaged, "it has no frame header before its data", .byte(segments.offset))
        }
        size = frame.size
        isProgressive = frame.isProgressive
        orientation = segments.orientation
        sampling = segments.sampling(of: frame)
    }
}

/// The frame header, which follows the marker SOF0, SOF1, SOF2, SOF9 or SOF10.
private struct FrameHeader {
    struct Component {
        var identifier: UInt8 = 0
        var horizontal = 1
        var vertical = 1
    }
    let size: PixelSize
    let isProgressive: Bool
    let componentCount: Int
    /// The components, stored inline, because an array would be allocated for every frame of a camera.
    let components: InlineArray<3, Component>
}

/// Reads the segments before the first scan, one after another.
private struct Segments {
    let subject: String
    var offset = 2
    var frame: FrameHeader?
    var orientation = Orientation.identity
    private var hasJFIF = false
    private var adobeTransform: UInt8?

    init(subject: String) { self.subject = subject }

    mutating func read(_ bytes: RawSpan) throws(CodecError) {
        while true {
            guard let sign = bytes.byte(at: offset), var marker = bytes.byte(at: offset + 1) else {
                throw cutOff(bytes)
            }
            guard sign == 0xff else {
                throw CodecError(subject, .damaged, "it is damaged: a marker is missing", .byte(offset))
            }
            while marker == 0xff {
                offset += 1
                guard let next = bytes.byte(at: offset + 1) else { throw cutOff(bytes) }
                marker = next
            }
            offset += 2
            // The markers TEM, RST and SOI have no segment.
            if marker == 0x01 || (0xd0...0xd8).contains(marker) { continue }
            if marker == 0xda || marker == 0xd9 { return }
            guard let length = bytes.uint16(at: offset), length >= 2 else { throw cutOff(bytes) }
            guard length <= bytes.byteCount - offset else { throw cutOff(bytes) }
            try read(marker, bytes.extracting(offset + 2..<offset + length))
            offset += length
        }
    }

    private func cutOff(_ bytes: RawSpan) -> CodecError {
        CodecError(subject, .damaged, "it is cut off in its header", .byte(min(offset, bytes.byteCount)))
    }

    private mutating func read(_ marker: UInt8, _ segment: RawSpan) throws(CodecError) {
        switch marker {
        case 0xc0, 0xc1, 0xc2, 0xc9, 0xca: try readFrame(segment, isProgressive: marker == 0xc2 || marker == 0xca)
        case 0xc4, 0xc8, 0xcc: break
        case 0xc3, 0xc5...0xc7, 0xcb, 0xcd...0xcf:
            throw CodecError(
                subject, .unsupported, "it is a lossless or hierarchical JPEG; save it as baseline or progressive JPEG",
                .byte(offset))
        case 0xe0: hasJFIF = hasJFIF || segment.has("JFIF", at: 0)
        case 0xe1:
            // The segment holds "Exif", two zero bytes, and a TIFF block.
            guard segment.has("Exif", at: 0), segment.byteCount > 6 else { return }
            orientation = EXIF.orientation(ofTIFF: segment.extracting(6..<segment.byteCount))
        case 0xee:
            if segment.has("Adobe", at: 0) { adobeTransform = segment.byte(at: 11) }
        default: break
        }
    }

    private mutating func readFrame(_ segment: RawSpan, isProgressive: Bool) throws(CodecError) {
        guard frame == nil else { throw CodecError(subject, .damaged, "it has two frame headers", .byte(offset)) }
        guard
            let precision = segment.byte(at: 0), let height = segment.uint16(at: 1), let width = segment.uint16(at: 3),
            let count = segment.byte(at: 5).map(Int.init), segment.byteCount >= 6 + 3 * count
        else { throw CodecError(subject, .damaged, "its frame header is cut off", .byte(offset)) }
        guard precision == 8 else {
            throw CodecError(
                subject, .unsupported, "it has \(precision) bits a sample; save it with 8", .byte(offset + 2))
        }
        let size = try PictureLimits.check(
            width: width, height: height, subject: subject, position: .byte(offset + 3))
        guard count == 1 || count == 3 else {
            throw CodecError(
                subject, .unsupported,
                count == 4
                    ? "it is a CMYK picture; save it as RGB or YCbCr" : "it has \(count) components, not 1 or 3",
                .byte(offset + 7))
        }
        frame = FrameHeader(
            size: size, isProgressive: isProgressive, componentCount: count,
            components: try components(segment, count))
    }

    private func components(
        _ segment: RawSpan, _ count: Int
    ) throws(CodecError) -> InlineArray<3, FrameHeader.Component> {
        var components: InlineArray<3, FrameHeader.Component> = InlineArray(repeating: .init())
        for index in 0..<count {
            let start = 6 + 3 * index
            guard let identifier = segment.byte(at: start), let factors = segment.byte(at: start + 1) else { break }
            let (horizontal, vertical) = (Int(factors >> 4), Int(factors & 15))
            guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
                throw CodecError(
                    subject, .damaged, "its sampling factors are \(horizontal)x\(vertical), but must be 1 to 4",
                    .byte(offset + 2 + start))
            }
            components[index] = .init(identifier: identifier, horizontal: horizontal, vertical: vertical)
        }
        return components
    }

    func sampling(of frame: FrameHeader) -> JPEGHeader.Sampling {
        if frame.componentCount == 1 { return .gray }
        let parts = frame.components
        if !hasJFIF {
            let isRGB =
                parts[0].identifier == UInt8(ascii: "R") && parts[1].identifier == UInt8(ascii: "G")
                && parts[2].identifier == UInt8(ascii: "B")
            if adobeTransform == 0 || (adobeTransform == nil && isRGB) { return .rgb }
        }
        let hasEqualChroma = parts[1].horizontal == parts[2].horizontal && parts[1].vertical == parts[2].vertical
        // Only the ratios count, because some encoders double all factors.
        let (across, left) = parts[0].horizontal.quotientAndRemainder(dividingBy: parts[1].horizontal)
        let (down, over) = parts[0].vertical.quotientAndRemainder(dividingBy: parts[1].vertical)
        guard hasEqualChroma, left == 0, over == 0 else { return .yuvOther }
        switch (across, down) {
        case (1, 1): return .yuv444
        case (2, 1): return .yuv422
        case (2, 2): return .yuv420
        case (1, 2): return .yuv440
        default: return .yuvOther
        }
    }
}
