internal import CGL
package import PipFrames

/// A buffer into which the GPU writes pixels while the render thread goes on (a pixel pack buffer).
///
/// Insert a ``Fence`` after the reads: once the fence is signaled, the bytes are in memory. Unlike other GL objects, a
/// read-back buffer keeps its context alive, because other threads may read the memory after the renderer is gone.
@safe package final class ReadbackBuffer: @unchecked Sendable {
    // Sendable, because GL is called on the render thread only, and only the reads that the owner queues write the
    // mapping.
    package let byteCount: Int
    private let name: GLuint
    private let mapping: UnsafeRawBufferPointer?
    private let deletions: DeletionQueue
    private let gpu: RenderContext

    /// Allocates a buffer, which stays mapped permanently where the GPU allows that.
    ///
    /// - Throws: ``GLError`` when memory runs out, or no context is open.
    package init(byteCount: Int, on gpu: isolated RenderContext) throws(GLError) {
        let operation = "make a read-back buffer of \(byteCount) bytes"
        let context = try gpu.context(to: operation)
        gpu.deletePending()
        var name: GLuint = 0
        unsafe glGenBuffers(1, &name)
        self.byteCount = byteCount
        self.name = name
        self.gpu = gpu
        deletions = context.deletions
        deletions.countCreation(.buffer)
        gpu.bound.bind(packBuffer: name)
        defer { gpu.bound.bind(packBuffer: 0) }
        if context.capabilities.hasPersistentMapping, let allocate = unsafe context.functions.bufferStorage {
            let access = GL.mapRead | GL.mapPersistentCoherent
            allocate(GL.pixelPackBuffer, byteCount, nil, access | GL.clientStorage)
            let start = unsafe glMapBufferRange(GL.pixelPackBuffer, 0, byteCount, access)
            unsafe mapping = unsafe start.map { unsafe UnsafeRawBufferPointer(start: $0, count: byteCount) }
            try gpu.checkError(operation, call: "glBufferStorageEXT")
        } else {
            unsafe mapping = nil
            glBufferData(GL.pixelPackBuffer, byteCount, nil, GL.streamRead)
            try gpu.checkError(operation, call: "glBufferData")
        }
    }

    deinit { deletions.append(.buffer, name) }

    /// The buffer's memory; nil without ``Capabilities/hasPersistentMapping``, where ``withMapped(_:on:)`` gives
    /// access.
    ///
    /// Thread: any. Valid as long as this object lives. The bytes of a read are in memory once a fence after the read
    /// is signaled.
    @unsafe package var mappedBytes: UnsafeRawBufferPointer? { unsafe mapping }

    /// Calls `body` with the buffer's memory.
    ///
    /// Without persistent mapping, blocks until the queued reads are done. With it, the call does not wait: the caller
    /// must first wait for a ``Fence`` after the reads.
    ///
    /// Thread: render thread only.
    ///
    /// - Throws: ``GLError`` when the memory cannot be mapped, and the error of `body`.
    package func withMapped<Result>(
        on gpu: isolated RenderContext, _ body: (UnsafeRawBufferPointer) throws(GLError) -> Result
    ) throws(GLError) -> Result {
        if let mapping = unsafe mapping { return try unsafe body(mapping) }
        gpu.bound.bind(packBuffer: name)
        defer { gpu.bound.bind(packBuffer: 0) }
        guard let start = unsafe glMapBufferRange(GL.pixelPackBuffer, 0, byteCount, GL.mapRead) else {
            throw GLError(
                "read a buffer of \(byteCount) bytes", call: "glMapBufferRange",
                reason: gpu.takeError() ?? .gl(GL.noError))
        }
        defer { _ = glUnmapBuffer(GL.pixelPackBuffer) }
        return try unsafe body(UnsafeRawBufferPointer(start: start, count: byteCount))
    }

    /// Queues a read of pixels into the buffer, and returns without waiting for the GPU.
    ///
    /// - Parameters:
    ///   - target: The framebuffer that is read.
    ///   - attachment: The index of the texture among the target's textures.
    ///   - region: The rectangle in texels, which must lie within the target.
    ///   - format: The format in memory; see ``RenderTarget/canRead(attachment:as:on:)``.
    ///   - offset: The byte of the buffer at which the first row starts; a multiple of the size of the format's
    ///     component.
    ///   - strideInBytes: The number of bytes from row to row: a multiple of the texel's size, or such a multiple
    ///     rounded up to 2, 4 or 8 bytes.
    ///   - gpu: The buffer's context.
    /// - Throws: ``GLError`` when the rectangle, the stride or the format is not possible; the buffer is then
    ///   unchanged.
    package func read(
        from target: RenderTarget, attachment: Int = 0, region: PixelRect, format: TextureFormat, into offset: Int = 0,
        strideInBytes: Int, on gpu: isolated RenderContext
    ) throws(GLError) {
        let end = offset + strideInBytes * (region.height - 1) + region.width * format.bytesPerTexel
        guard target.size.bounds.contains(region), !region.isEmpty, offset >= 0, end <= byteCount else {
            throw failure(
                region,
                .text(
                    "the rectangle must not be empty and must lie within \(target.size), "
                        + "and bytes \(offset) to \(end) within 0 to \(byteCount)"))
        }
        guard let store = PixelStore(strideInBytes: strideInBytes, width: region.width, format: format),
            offset % format.bytesPerComponent == 0
        else {
            throw failure(region, .text("GL cannot write \(format) rows of stride \(strideInBytes) at byte \(offset)"))
        }
        target.bindForReading(attachment: attachment, on: gpu)
        gpu.bound.bind(packBuffer: name)
        defer { gpu.bound.bind(packBuffer: 0) }
        gpu.bound.setPack(store)
        unsafe glReadPixels(
            GLint(region.x), GLint(region.y), GLsizei(region.width), GLsizei(region.height), format.format, format.type,
            UnsafeMutableRawPointer(bitPattern: offset))
        if let reason = gpu.takeError() { throw failure(region, reason) }
    }

    private func failure(_ region: PixelRect, _ reason: GLError.Reason) -> GLError {
        GLError("read back \(region)", call: "glReadPixels", reason: reason)
    }
}
