internal import PipFrames

/// The layout of a native format's planes in the driver's buffers.
enum NativeLayout {
    /// The layout of a frame that the driver writes.
    ///
    /// A stride of 0, or below the length of a row, means rows without padding. With one memory plane, all planes share
    /// a buffer; otherwise each plane's offset counts from the start of its own buffer.
    static func layout(
        _ format: PixelFormat, _ size: PixelSize, _ memory: [MemoryPlane], memoryPlanes: Int
    )
        -> FrameLayout
    {
        let stride = memory[0].strideInBytes
        var layout = FrameLayout(format, size, stride: stride > 0 ? stride : nil)
        guard memoryPlanes > 1 else { return layout }
        for plane in layout.planes.indices {
            layout.planes[plane].offset = 0
            layout.planes[plane].strideInBytes = max(layout.planes[plane].rowBytes, memory[plane].strideInBytes)
        }
        return layout
    }

    /// The bytes from the start of a memory plane to the end of its last sample.
    static func bytesNeeded(_ layout: FrameLayout, ofMemoryPlane memoryPlane: Int, of memoryPlanes: Int) -> Int {
        guard memoryPlanes == 1 else {
            return layout.planes[memoryPlane].offset + layout.planes[memoryPlane].byteCount
        }
        return layout.planes.reduce(0) { max($0, $1.offset + $1.byteCount) }
    }
}

/// The layout of the planes of decoded JPEG pictures and video.
enum DecodedLayout {
    /// I420 with padding, so that a decoder can fill whole blocks of 16 × 16 pixels.
    static func layout(for size: PixelSize) -> FrameLayout {
        var layout = FrameLayout(.i420, size)
        let width = size.width.roundedUp(to: 16)
        let height = size.height.roundedUp(to: 16)
        var offset = 0
        for plane in layout.planes.indices {
            let divisor = plane == 0 ? 1 : 2
            layout.planes[plane].offset = offset
            layout.planes[plane].strideInBytes = width / divisor
            offset += (width / divisor) * (height / divisor)
        }
        return layout
    }
}

extension Int {
    /// The least multiple of `multiple` that is not below this number.
    func roundedUp(to multiple: Int) -> Int { (self + multiple - 1) / multiple * multiple }
}
