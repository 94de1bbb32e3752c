import PipCodecs
import PipFrames

@testable import PipCapture

/// The largest picture that is decoded: larger ones take longer, and no other path.
private let largestArea = 1 << 14

/// JPEG files.
struct JPEGParser: Parser {
    let name = "jpeg"
    private let decoder = try? JPEGDecoder()

    func parse(_ bytes: [UInt8]) {
        let span = unsafe bytes.span.bytes
        guard let header = try? JPEGHeader(span, subject: "input"), header.size.area <= largestArea else { return }
        for format in Set([header.fullFormat, header.fastFormat]) {
            let layout = FrameLayout(format, header.size)
            _ = try? decoder?.decode(span, header, into: FrameBuffer(layout), layout: layout, subject: "input")
        }
    }
}

/// The pictures of a camera, whose size was agreed on before.
struct MJPEGParser: Parser {
    let name = "mjpeg"
    private let layout = DecodedLayout.layout(for: PixelSize(70, 50))
    private let decoder = try? JPEGDecoder()

    func parse(_ bytes: [UInt8]) {
        // A buffer of its own each time: what is written beyond its end is noticed.
        _ = unsafe bytes.withUnsafeBytes { unsafe decoder?.decodeFrame($0, into: FrameBuffer(layout), layout) }
    }
}

/// PNG files, still and animated.
struct PNGParser: Parser {
    let name = "png"

    func parse(_ bytes: [UInt8]) {
        let span = unsafe bytes.span.bytes
        guard let header = try? PNG.header(of: span, subject: "input"), header.size.area <= largestArea else { return }
        let layout = FrameLayout(.rgba, header.size)
        try? PNG.decode(span, into: FrameBuffer(layout), layout: layout, subject: "input")
        guard let animation = (try? APNG(span, try PNG.header(of: span, subject: "input"), subject: "input")) ?? nil
        else { return }
        decodeSome(APNGDecoder(content(bytes), animation, subject: "input"), layout)
    }
}

/// WebP files, still and animated.
struct WebPParser: Parser {
    let name = "webp"

    func parse(_ bytes: [UInt8]) {
        let span = unsafe bytes.span.bytes
        guard let header = try? WebP.header(of: span, subject: "input"), header.size.area <= largestArea,
            let decoder = try? WebPDecoder(content(bytes), header, subject: "input")
        else { return }
        decodeSome(decoder, FrameLayout(.rgba, header.size))
    }
}

/// GIF files, which gdk-pixbuf decodes.
struct GIFParser: Parser {
    let name = "gif"

    func parse(_ bytes: [UInt8]) {
        let span = unsafe bytes.span.bytes
        guard let header = try? GIF.header(of: span, subject: "input"), header.size.area <= largestArea,
            let decoder = try? GIFDecoder(span, header, subject: "input")
        else { return }
        decodeSome(decoder, FrameLayout(.rgba, header.size))
    }
}

/// BMP, TIFF, AVIF and HEIC files, which gdk-pixbuf decodes.
struct PixbufParser: Parser {
    let name = "pixbuf"

    func parse(_ bytes: [UInt8]) {
        let span = unsafe bytes.span.bytes
        guard let kind = PictureKind(of: span),
            let pixbuf = try? Pixbuf(span, kind, atMost: largestArea, subject: "input")
        else { return }
        let layout = FrameLayout(.rgba, pixbuf.size)
        pixbuf.copy(into: FrameBuffer(layout), layout)
    }
}

private func content(_ bytes: [UInt8]) -> ByteBuffer {
    let content = ByteBuffer()
    unsafe bytes.withUnsafeBytes { unsafe content.append($0) }
    return content
}

/// Decodes the first pictures: more of them take longer, and no other path.
private func decodeSome(_ decoder: any AnimationDecoder, _ layout: FrameLayout) {
    for _ in 0..<4 where (try? decoder.next(into: FrameBuffer(layout), layout)) != true { return }
}
