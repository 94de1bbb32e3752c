/// A dark panel with a crossed-out camera's frame: what a layer shows whose source has no frames.
enum Slate {
    /// The panel's picture, in limited-range BT.709.
    static func frame(_ size: PixelSize) -> Frame {
        let layout = FrameLayout(.i420, size)
        let buffer = FrameBuffer(layout)
        let thickness = max(2, min(size.width, size.height) / 90)
        for (index, plane) in layout.planes.enumerated() {
            let bytes = unsafe buffer.mutableBytes(ofPlane: index)
            let scale = index == 0 ? 1 : 2
            for row in 0..<plane.dimensions.height {
                for column in 0..<plane.dimensions.width {
                    let isLine = isOnCross(column * scale, row * scale, size, thickness)
                    let value: UInt8 =
                        switch index {
                        case 0: isLine ? 70 : 34
                        case 1: 134
                        default: 124
                        }
                    unsafe bytes[plane.offset + row * plane.strideInBytes + column] = value
                }
            }
        }
        return Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: buffer)
    }

    /// Whether a pixel lies on a diagonal or on the frame around them.
    private static func isOnCross(_ x: Int, _ y: Int, _ size: PixelSize, _ thickness: Int) -> Bool {
        let left = size.width / 4
        let top = size.height / 4
        let (width, height) = (size.width / 2, size.height / 2)
        let (across, down) = (x - left, y - top)
        guard across >= 0, down >= 0, across < width, down < height else { return false }
        if across < thickness || down < thickness || across >= width - thickness || down >= height - thickness {
            return true
        }
        let rising = across * height - (height - down) * width
        let falling = across * height - down * width
        return min(abs(rising), abs(falling)) < thickness * width / 2 + thickness * height / 2
    }
}
