internal import PipCodecs
internal import PipConcurrency
internal import PipFrames

/// The cost of decoding JPEG on this machine, measured once in each process, at first use.
enum DecodeSpeed {
    /// The CPU time to decode one pixel of a typical camera's JPEG picture to planes.
    ///
    /// Units: nanoseconds.
    static let jpegPixel = measured() ?? typical

    /// The assumed decoding time per pixel, for when the measurement fails.
    ///
    /// Units: nanoseconds.
    private static let typical = 4.0

    private static func measured() -> Double? {
        let picture = picture(of: PixelSize(640, 480))
        let file = ByteBuffer()
        guard let encoder = try? JPEGEncoder(quality: 85), let decoder = try? JPEGDecoder(),
            (try? encoder.encode(picture, into: file, subject: "measurement")) != nil
        else { return nil }
        let buffer = FrameBuffer(picture.layout)
        let times = (0..<4).compactMap { _ -> Double? in
            let start = ProcessorTime.usedByThread
            let isDecoded = file.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { unsafe decoder.decodeFrame($0, into: buffer, picture.layout) }
            }
            return !isDecoded ? nil : (ProcessorTime.usedByThread - start) / .nanoseconds(picture.layout.size.area)
        }
        return times.min().flatMap { $0 > 0 ? $0 : nil }
    }

    /// A smooth picture with grain, whose JPEG file is about as large as a camera picture's.
    private static func picture(of size: PixelSize) -> Frame {
        let layout = FrameLayout(.i420, size)
        let buffer = FrameBuffer(layout)
        var noise = UInt64(1)
        for (index, plane) in layout.planes.enumerated() {
            let bytes = unsafe buffer.mutableBytes(ofPlane: index)
            for row in 0..<plane.dimensions.height {
                for column in 0..<plane.dimensions.width {
                    noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let grain = index == 0 ? Int(noise >> 60) : 0
                    unsafe bytes[plane.offset + row * plane.strideInBytes + column] =
                        UInt8(60 + (row + column) * 100 / (size.width + size.height) + grain)
                }
            }
        }
        return Frame(info: FrameInfo(layout: layout, colorimetry: .jpeg), buffer: buffer)
    }
}
