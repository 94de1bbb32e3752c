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

/// PNG files.
struct PNGParser: Parser {
    let name = "png"

    func parse(_ bytes: [UInt8]) {
        let span = unsafe bytes.span.bytes
        guard let header = try? PNG.header(of: span, subject: "input"), header.size.area <= largestArea else { return }
        let layout = FrameLayout(.rgba, header.size)
        try? PNG.decode(span, into: FrameBuffer(layout), layout: layout, subject: "input")
    }
}

/// WebP files, still and animated.
struct WebPParser: Parser {
    let name = "webp"

    func parse(_ bytes: [UInt8]) {
        let span = unsafe bytes.span.bytes
        guard let header = try? WebP.header(of: span, subject: "input"), header.size.area <= largestArea else { return }
        // More pictures take longer, and no other path.
        var left = 4
        try? WebP.decode(span, header, subject: "input") { _ in
            left -= 1
            return left > 0
        }
    }
}
