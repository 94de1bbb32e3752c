internal import CGL
package import PipFrames

/// A framebuffer: one to four textures of equal size that a draw writes at once.
///
/// Keeps the textures alive.
package final class RenderTarget {
    /// The size of the textures, in texels.
    package let size: PixelSize
    /// The textures, indexed by the location of the fragment shader's outputs.
    package let textures: [Texture]
    let name: GLuint
    private let deletions: DeletionQueue
    /// The index of the texture that read-backs read.
    private var readAttachment = 0

    /// Makes a framebuffer of textures, in the order of the fragment shader's outputs.
    ///
    /// - Throws: ``GLError`` when there are no textures, or too many or of different sizes, when the driver cannot draw
    ///   into one of their formats, or when no context is open.
    package init(_ textures: [Texture], on gpu: isolated RenderContext) throws(GLError) {
        let names = textures.map { "\($0.format) \($0.size)" }.joined(separator: ", ")
        let operation = "draw into \(textures.isEmpty ? "no texture" : names)"
        let context = try gpu.context(to: operation)
        let limit = min(4, context.capabilities.maxDrawBuffers)
        guard let size = textures.first?.size, textures.count <= limit, textures.allSatisfy({ $0.size == size }) else {
            throw GLError(
                operation, call: "glFramebufferTexture2D",
                reason: .text("a target needs 1 to \(limit) textures of one size"))
        }
        gpu.deletePending()
        var name: GLuint = 0
        unsafe glGenFramebuffers(1, &name)
        self.size = size
        self.textures = textures
        self.name = name
        deletions = context.deletions
        deletions.countCreation(.framebuffer)
        gpu.bound.bind(framebuffer: name)
        for (index, texture) in textures.enumerated() {
            glFramebufferTexture2D(GL.framebuffer, GL.color0 + GLenum(index), GL.texture2D, texture.name, 0)
        }
        let attachments = textures.indices.map { GL.color0 + GLenum($0) }
        unsafe glDrawBuffers(GLsizei(attachments.count), attachments)
        let status = glCheckFramebufferStatus(GL.framebuffer)
        guard status == GL.framebufferComplete else {
            throw GLError(
                operation, call: "glCheckFramebufferStatus",
                reason: .text("the driver does not support these textures (status 0x\(String(status, radix: 16)))"))
        }
        try gpu.checkError(operation, call: "glFramebufferTexture2D")
    }

    deinit { deletions.append(.framebuffer, name) }

    /// Selects the texture that the next `glReadPixels` reads.
    func bindForReading(attachment: Int, on gpu: isolated RenderContext) {
        gpu.bound.bind(framebuffer: name)
        guard readAttachment != attachment else { return }
        glReadBuffer(GL.color0 + GLenum(attachment))
        readAttachment = attachment
    }

    /// True when the driver can read a texture of the target back in a format.
    ///
    /// Every driver reads 8-bit textures as `rgba8` and float textures as `rgba32f`. Each driver may offer one further
    /// format, which is nearly always the texture's own.
    package func canRead(attachment: Int, as format: TextureFormat, on gpu: isolated RenderContext) -> Bool {
        let texture = textures[attachment]
        if format == (texture.format.isFloat ? .rgba32f : .rgba8) { return true }
        bindForReading(attachment: attachment, on: gpu)
        var offered: (format: GLint, type: GLint) = (0, 0)
        unsafe glGetIntegerv(GL.readFormat, &offered.format)
        unsafe glGetIntegerv(GL.readType, &offered.type)
        return GLenum(offered.format) == format.format && GLenum(offered.type) == format.type
    }
}
