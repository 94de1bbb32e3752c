internal import CGL
package import PipFrames

/// Memory that the GPU writes pixels into, without the render thread waiting: a pixel pack buffer.
///
/// Put a ``Fence`` behind the reads: when it is signaled, the bytes are in memory. Unlike other objects it keeps its
/// context alive, because other threads may read its memory after the renderer is gone.
@safe package final class ReadbackBuffer: @unchecked Sendable {
    // GL is called only on the context's thread. Only reads that the owner orders write the mapped memory.
    package let byteCount: Int
    private let name: GLuint
    private let mapping: UnsafeRawBufferPointer?
    private let deletions: DeletionQueue
    private let gpu: RenderContext

    /// Allocates a buffer, which stays mapped for its whole life where the GPU allows it.
    ///
    /// - Throws: ``GLError`` when memory is out.
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

    /// The memory, with ``Capabilities/hasPersistentMapping``; else nil: use ``withMapped(_:on:)``.
    ///
    /// Valid as long as this object lives, on every thread. A read's bytes are in memory once a fence behind it is
    /// signaled.
    @unsafe package var mappedBytes: UnsafeRawBufferPointer? { unsafe mapping }

    /// Lends the memory on the render thread, after waiting for unfinished reads into it.
    ///
    /// - Throws: ``GLError`` when the memory cannot be mapped, and the error of `body`.
    package func withMapped<Result>(
        on gpu: isolated RenderContext, _ body: (UnsafeRawBufferPointer) throws(GLError) -> Result
    ) throws(GLError) -> Result {
        if let mapping = unsafe mapping { return try unsafe body(mapping) }
        gpu.bound.bind(packBuffer: name)
        defer { gpu.bound.bind(packBuffer: 0) }
        guard let start = unsafe glMapBufferRange(GL.pixelPackBuffer, 0, byteCount, GL.mapRead) else {
            throw GLError("read a buffer", call: "glMapBufferRange", reason: gpu.takeError() ?? .gl(GL.noError))
        }
        defer { _ = glUnmapBuffer(GL.pixelPackBuffer) }
        return try unsafe body(UnsafeRawBufferPointer(start: start, count: byteCount))
    }

    /// Queues a read of pixels into the buffer, without waiting for it.
    ///
    /// - Parameters:
    ///   - target: The framebuffer to read.
    ///   - attachment: The index of the target's texture.
    ///   - region: The rectangle in texels, which must lie within the target.
    ///   - format: The format in memory; see ``RenderTarget/canRead(attachment:as:on:)``.
    ///   - offset: Byte of the buffer where the first row starts; a multiple of the format's component.
    ///   - strideInBytes: Bytes from row to row: a multiple of the texel, or a length to which GL can round a row up
    ///     (2, 4, 8 bytes).
    ///   - gpu: The buffer's context.
    /// - Throws: ``GLError`` when the rectangle, the stride or the format is impossible; then nothing is written.
    package func read(
        from target: RenderTarget, attachment: Int = 0, region: PixelRect, format: TextureFormat, into offset: Int = 0,
        strideInBytes: Int, on gpu: isolated RenderContext
    ) throws(GLError) {
        let end = offset + strideInBytes * (region.height - 1) + region.width * format.bytesPerTexel
        guard target.size.bounds.contains(region), !region.isEmpty, offset >= 0, end <= byteCount else {
            throw failure(region, .text("\(target.size) is read into bytes \(offset) to \(end) of \(byteCount)"))
        }
        guard let store = PixelStore(strideInBytes: strideInBytes, width: region.width, format: format),
            offset % format.bytesPerComponent == 0
        else {
            throw failure(region, .text("GL cannot write \(format) rows \(strideInBytes) bytes apart at \(offset)"))
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
