internal import CGL

/// A fence among the GPU's commands, signaled when all earlier commands are done.
///
/// Thread: render thread only; any thread may release the fence.
@safe package struct Fence: ~Copyable, @unchecked Sendable {
    // Sendable, because only GL follows this pointer, and only on the render thread.
    private let sync: GLsync
    private let deletions: DeletionQueue

    /// Inserts a fence after all commands so far.
    ///
    /// - Throws: ``GLError`` when memory runs out, the GPU was reset, or no context is open.
    package init(on gpu: isolated RenderContext) throws(GLError) {
        let context = try gpu.context(to: "mark the end of a frame")
        guard let sync = unsafe glFenceSync(GL.commandsComplete, 0) else {
            throw GLError("mark the end of a frame", call: "glFenceSync", reason: gpu.takeError() ?? .gl(GL.noError))
        }
        unsafe self.sync = unsafe sync
        deletions = context.deletions
        deletions.countFence()
    }

    deinit { unsafe deletions.append(fence: UInt(bitPattern: sync)) }

    /// True when the GPU has passed the fence.
    ///
    /// Flushes the commands, so that the GPU reaches the fence without further calls. Does not wait.
    package func isSignaled(on gpu: isolated RenderContext) -> Bool { wait(nanoseconds: 0) }

    /// Blocks the render thread until the GPU has passed the fence.
    ///
    /// - Returns: False when the timeout passed first, or the GPU was reset.
    package func wait(timeout: Duration, on gpu: isolated RenderContext) -> Bool {
        let (seconds, attoseconds) = timeout.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return wait(nanoseconds: overflow ? .max : GLuint64(max(0, product + attoseconds / 1_000_000_000)))
    }

    private func wait(nanoseconds: GLuint64) -> Bool {
        let status = unsafe glClientWaitSync(sync, GL.flushCommands, nanoseconds)
        return status == GL.alreadySignaled || status == GL.conditionSatisfied
    }
}
