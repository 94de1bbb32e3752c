/// Converts I420 frames to other pixel formats with the same sample values (YUYV repeats each row of chroma).
enum Repacking {
    /// Converts one I420 frame of even width and height.
    ///
    /// Nil for a frame of another length, and for RGBA.
    static func repack(_ frame: ArraySlice<UInt8>, _ size: FrameSize, to layout: PixelLayout) -> [UInt8]? {
        guard frame.count == PixelLayout.i420.bytes(size) else { return nil }
        switch layout {
        case .i420: return Array(frame)
        case .nv12: return nv12(frame, size)
        case .yuyv: return yuyv(frame, size)
        case .rgba: return nil
        }
    }

    private static func nv12(_ frame: ArraySlice<UInt8>, _ size: FrameSize) -> [UInt8] {
        let blue = frame.startIndex + size.pixels
        let red = blue + size.pixels / 4
        var bytes = Array(frame[..<blue])
        bytes.reserveCapacity(frame.count)
        for index in 0..<size.pixels / 4 {
            bytes.append(frame[blue + index])
            bytes.append(frame[red + index])
        }
        return bytes
    }

    private static func yuyv(_ frame: ArraySlice<UInt8>, _ size: FrameSize) -> [UInt8] {
        let blue = frame.startIndex + size.pixels
        let red = blue + size.pixels / 4
        var bytes: [UInt8] = []
        bytes.reserveCapacity(PixelLayout.yuyv.bytes(size))
        for y in 0..<size.height {
            let luma = frame.startIndex + y * size.width
            let chroma = y / 2 * (size.width / 2)
            for x in 0..<size.width / 2 {
                bytes.append(frame[luma + 2 * x])
                bytes.append(frame[blue + chroma + x])
                bytes.append(frame[luma + 2 * x + 1])
                bytes.append(frame[red + chroma + x])
            }
        }
        return bytes
    }
}
