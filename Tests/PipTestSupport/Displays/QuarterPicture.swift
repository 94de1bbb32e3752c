package import PipFrames

/// A picture of four coloured quarters; in reading order, they are red, green, blue and white.
package enum QuarterPicture {
    package static let colours = [0xff0000, 0x00ff00, 0x0000ff, 0xffffff]

    /// A frame of the picture.
    ///
    /// Each row is followed by 12 bytes of padding.
    package static func frame(_ size: PixelSize, at time: Duration = .zero) -> Frame {
        let layout = FrameLayout(.rgba, size, stride: size.width * 4 + 12)
        let buffer = FrameBuffer(layout)
        buffer.withMutablePlane(0, of: layout) { bytes, part in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let colour = colours[(y * 2 / size.height) * 2 + x * 2 / size.width]
                    let word = UInt32(colour >> 16 & 255 | colour & 0xff00 | (colour & 255) << 16) | 0xff00_0000
                    bytes.storeBytes(of: word, toByteOffset: y * part.strideInBytes + 4 * x, as: UInt32.self)
                }
            }
        }
        let info = FrameInfo(layout: layout, colorimetry: .srgb, timestamp: Timestamp.zero.advanced(by: time))
        return Frame(info: info, buffer: buffer)
    }
}
