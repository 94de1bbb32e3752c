internal import PipFrames
internal import PipGL
internal import PipPixels
internal import PipPlan

/// A copy of a texture between OpenGL ES and the CPU's memory.
///
/// A copy from OpenGL ES waits until OpenGL ES has finished drawing.
struct PreparedTransfer {
    let sources: [Int]
    private let index: RenderPlan.TextureIndex
    private let texture: Texture
    /// The target and buffer of a copy from OpenGL ES; nil for a copy to OpenGL ES.
    private let readback: (target: RenderTarget, buffer: ReadbackBuffer)?

    /// - Parameters:
    ///   - transfer: The texture, and the executor that needs its contents.
    ///   - sources: The indices of the sources that the texture shows.
    ///   - texture: The OpenGL ES texture.
    ///   - target: The texture as a render target, for a copy from OpenGL ES; nil for a copy to OpenGL ES.
    ///   - gpu: The context.
    /// - Throws: ``GLError`` when memory runs out.
    init(
        _ transfer: Transfer, sources: [Int], texture: Texture, target: RenderTarget?, on gpu: isolated RenderContext
    ) throws(GLError) {
        self.sources = sources
        self.texture = texture
        index = transfer.texture
        if let target {
            readback = (target, try ReadbackBuffer(byteCount: texture.byteCount, on: gpu))
        } else {
            readback = nil
        }
    }

    /// Copies the texture to or from a plan's memory.
    ///
    /// - Throws: ``GLError`` when the texture cannot be read back.
    func run(_ memory: PlaneMemory, on gpu: isolated RenderContext) throws(GLError) {
        guard let plane = memory[index] else { return }
        guard let readback else {
            return unsafe texture.upload(
                from: plane.start, strideInBytes: plane.stride, region: texture.size.bounds, on: gpu)
        }
        let (size, rowBytes) = (texture.size, texture.size.width * texture.format.bytesPerTexel)
        try readback.buffer.read(
            from: readback.target, region: size.bounds, format: texture.format, strideInBytes: rowBytes, on: gpu)
        gpu.finish()
        try unsafe readback.buffer.withMapped(on: gpu) { (bytes: UnsafeRawBufferPointer) throws(GLError) in
            guard let start = bytes.baseAddress else { return }
            unsafe copyRows(
                from: InputRows(start, stride: rowBytes), to: OutputRows(plane.start, stride: plane.stride),
                rowBytes: rowBytes, rows: size.height)
        }
    }
}
