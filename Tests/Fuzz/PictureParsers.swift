import PipCodecs
import PipFrames

@testable import PipCapture

/// The largest area of a picture that is decoded, in pixels.
///
/// Larger pictures would slow the fuzzer down.
private let largestArea = 1 << 14

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

/// Decodes a camera's JPEG pictures, whose size the driver has announced.
struct MJPEGParser: Parser {
    let name = "mjpeg"
    private let layout = DecodedLayout.layout(for: PixelSize(70, 50))
    private let decoder = try? JPEGDecoder()

    func parse(_ bytes: [UInt8]) {
        // The buffer is new for each picture, so that the sanitizer detects writes beyond its end.
        _ = unsafe bytes.withUnsafeBytes { unsafe decoder?.decodeFrame($0, into: FrameBuffer(layout), layout) }
    }
}

/// Decodes still and animated PNG files.
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

/// Decodes still and animated WebP files.
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

/// Decodes still and animated GIF files with gdk-pixbuf.
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

/// Decodes GIF, BMP, TIFF, AVIF and HEIC files with gdk-pixbuf.
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

/// Decodes at most four frames of an animation.
///
/// More frames would slow the fuzzer down.
private func decodeSome(_ decoder: any AnimationDecoder, _ layout: FrameLayout) {
    for _ in 0..<4 where (try? decoder.next(into: FrameBuffer(layout), layout)) != true { return }
}
