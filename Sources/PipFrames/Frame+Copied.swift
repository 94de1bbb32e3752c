extension Frame {
    /// Copies the frame into newly allocated memory.
    package func copied() -> Frame {
        let layout = FrameLayout(info.layout.format, info.layout.size)
        return copied(into: FrameBuffer(layout), layout)
    }

    /// Copies the frame into given memory.
    ///
    /// - Parameters:
    ///   - buffer: The memory, which no other frame uses.
    ///   - layout: The layout for which the buffer was made, with the frame's format and size.
    /// - Returns: The frame in `buffer`.
    package func copied(into buffer: FrameBuffer, _ layout: FrameLayout) -> Frame {
        for index in layout.planes.indices {
            let own = layout.planes[index]
            let memory = unsafe buffer.mutableBytes(ofPlane: index)
            withPlane(index) { bytes, plane in
                for row in 0..<own.dimensions.height {
                    let start = row * plane.strideInBytes
                    let source = bytes.extracting(start..<start + own.rowBytes)
                    unsafe source.withUnsafeBytes { source in
                        unsafe UnsafeMutableRawBufferPointer(
                            rebasing: memory[(own.offset + row * own.strideInBytes)...]
                        ).copyMemory(from: source)
                    }
                }
            }
        }
        var copy = info
        copy.layout = layout
        return Frame(info: copy, buffer: buffer)
    }
}
