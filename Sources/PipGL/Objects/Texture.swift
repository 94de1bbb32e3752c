internal import CGL
package import PipFrames

/// A 2D texture of fixed size and format, sampled at the nearest texel and clamped to the edge.
///
/// Not `Sendable`, so that it cannot leave the context that made it. Any thread may release the texture.
package final class Texture {
    /// The size of the texture, in texels.
    ///
    /// A texel may hold several samples of a plane.
    package let size: PixelSize
    package let format: TextureFormat
    let name: GLuint
    private let deletions: DeletionQueue

    /// Allocates a texture; its contents are undefined.
    ///
    /// - Throws: ``GLError`` when the texture is empty or too large for the GPU, memory runs out, or no context is
    ///   open.
    package convenience init(size: PixelSize, format: TextureFormat, on gpu: isolated RenderContext) throws(GLError) {
        let operation = "make a texture of \(size) in \(format)"
        let context = try gpu.context(to: operation)
        let limit = context.capabilities.maxTextureSize
        guard (1...limit).contains(size.width), (1...limit).contains(size.height) else {
            throw GLError(operation, call: "glTexStorage2D", reason: .text("width and height must be 1 to \(limit)"))
        }
        self.init(withoutMemory: size, format: format, in: context, on: gpu)
        glTexStorage2D(GL.texture2D, 1, format.internalFormat, GLsizei(size.width), GLsizei(size.height))
        try gpu.checkError(operation, call: "glTexStorage2D")
    }

    /// Creates a texture without memory, and binds it; the caller must attach memory.
    init(withoutMemory size: PixelSize, format: TextureFormat, in context: OpenContext, on gpu: isolated RenderContext)
    {
        self.size = size
        self.format = format
        deletions = context.deletions
        name = Self.makeName(in: context, on: gpu)
    }

    deinit { deletions.append(.texture, name) }

    /// The number of bytes of the texture's texels.
    package var byteCount: Int { size.area * format.bytesPerTexel }

    /// Copies pixels from memory into a rectangle of the texture.
    ///
    /// The caller may reuse the memory as soon as the call returns.
    ///
    /// - Parameters:
    ///   - pixels: The rectangle's first texel. The memory must reach to the last texel of the last row.
    ///   - strideInBytes: The number of bytes from row to row, at least the bytes of a row. A stride that GL cannot
    ///     express is uploaded row by row.
    ///   - region: The rectangle in texels, which must lie within the texture; otherwise, nothing is copied.
    ///   - gpu: The texture's context.
    @unsafe package func upload(
        from pixels: UnsafeRawPointer, strideInBytes: Int, region: PixelRect, on gpu: isolated RenderContext
    ) {
        assert(size.bounds.contains(region), "\(region) is not within \(size)")
        guard size.bounds.contains(region), !region.isEmpty else { return }
        gpu.bound.bindForChange(texture: name)
        if let store = PixelStore(strideInBytes: strideInBytes, width: region.width, format: format) {
            gpu.bound.setUnpack(store)
            unsafe copy(pixels, to: region)
        } else {
            // The stride does not matter to a single row.
            gpu.bound.setUnpack(PixelStore.singleRow)
            for row in 0..<region.height {
                let target = PixelRect(x: region.x, y: region.y + row, width: region.width, height: 1)
                unsafe copy(pixels + row * strideInBytes, to: target)
            }
        }
    }

    /// Makes a GL texture and binds it, with nearest sampling and clamping.
    private static func makeName(in context: OpenContext, on gpu: isolated RenderContext) -> GLuint {
        gpu.deletePending()
        var name: GLuint = 0
        unsafe glGenTextures(1, &name)
        context.deletions.countCreation(.texture)
        gpu.bound.bindForChange(texture: name)
        glTexParameteri(GL.texture2D, GL.minFilter, GL_NEAREST)
        glTexParameteri(GL.texture2D, GL.magFilter, GL_NEAREST)
        glTexParameteri(GL.texture2D, GL.wrapS, GL_CLAMP_TO_EDGE)
        glTexParameteri(GL.texture2D, GL.wrapT, GL_CLAMP_TO_EDGE)
        return name
    }

    private func copy(_ pixels: UnsafeRawPointer, to region: PixelRect) {
        unsafe glTexSubImage2D(
            GL.texture2D, 0, GLint(region.x), GLint(region.y), GLsizei(region.width), GLsizei(region.height),
            format.format,
            format.type, pixels)
    }
}

extension PixelStore {
    /// The layout of a single row without padding.
    static let singleRow = PixelStore(rowLength: 0, alignment: 1)

    private init(rowLength: Int, alignment: Int) {
        self.rowLength = rowLength
        self.alignment = alignment
    }
}
