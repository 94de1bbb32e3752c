extension Frame {
    /// The same picture in memory of its own.
    func copied() -> Frame {
        let layout = FrameLayout(info.layout.format, info.layout.size)
        let buffer = FrameBuffer(layout)
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
