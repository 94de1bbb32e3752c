extension Frame {
    /// The same picture in memory of its own.
    package func copied() -> Frame {
        let layout = FrameLayout(info.layout.format, info.layout.size)
        return copied(into: FrameBuffer(layout), layout)
    }

    /// The same picture in other memory.
    ///
    /// - Parameters:
    ///   - buffer: Memory that no other frame shows.
    ///   - layout: The layout that the buffer was made for: of the frame's format and size.
    /// - Returns: The frame in that memory.
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
