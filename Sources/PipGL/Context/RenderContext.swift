internal import CGLES
package import PipConcurrency

/// An OpenGL ES context as an actor on a thread of its own, `pip-render`. No display is needed.
///
/// How code gets to GL, so that a call from another thread does not compile:
///
/// - A function that calls GL is synchronous and takes `on gpu: isolated RenderContext`. Only code on the actor can
///   call it.
/// - Code on the actor is a method of it, the body of ``perform(_:)`` (from elsewhere, with `await`), or the body of
///   ``onThread(_:)`` (where the thread is already right, such as in a tick of
///   ``PipConcurrency/ThreadExecutor/callRepeatedly(from:_:)``).
/// - GL objects are classes that are not `Sendable`, so they cannot leave the actor: keep them in a property of an
///   object that lives there too. Their `deinit` calls no GL and may run anywhere.
///
/// An object does not keep its context alive, except ``ReadbackBuffer``, whose memory other threads read.
package actor RenderContext {
    /// The thread of all GL calls.
    ///
    /// Its recurring function is free for a render loop.
    package nonisolated let executor: ThreadExecutor
    /// The GPU's capabilities.
    package nonisolated let capabilities: Capabilities
    /// Where the owners of GL objects leave their names.
    package nonisolated let deletions = DeletionQueue()

    let functions: ExtensionFunctions
    /// Asked in place of the driver whether the GPU was reset.
    private let resetStatus: (@Sendable () -> UInt32)?
    /// The cache of the context's state, by which redundant calls are left out.
    var bound = BoundState()
    private nonisolated let end: ContextEnd
    private var scratch = DeletionQueue.Names()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Finds a GPU and makes a context on it: a render node by GBM, a device that EGL lists, Mesa without a device, or
    /// EGL's default display.
    ///
    /// The environment variable `PIP_EGL` (`gbm`, `device`, `surfaceless`, `default`) allows one way only, for
    /// diagnosis.
    ///
    /// - Parameter log: Told the driver's messages of high severity, on the render thread. Such a context may be
    ///   slower.
    /// - Throws: ``GLError`` that says what was tried, why each way failed, and which packages are needed.
    package init(log: (@Sendable (String) -> Void)? = nil) async throws(GLError) {
        try await self.init(log: log, resetStatus: nil, clock: MonotonicClock())
    }

    /// As ``init(log:)``, with what a test may want to be otherwise.
    ///
    /// - Parameters:
    ///   - log: Told the driver's messages of high severity, on the render thread.
    ///   - resetStatus: Answers in place of the driver whether the GPU was reset, so that a context can be lost.
    ///   - clock: The clock of the render thread.
    /// - Throws: ``GLError`` when there is no context to be had.
    package init(
        log: (@Sendable (String) -> Void)?, resetStatus: (@Sendable () -> UInt32)?,
        clock: MonotonicClock = MonotonicClock()
    ) async throws(GLError) {
        self.resetStatus = resetStatus
        let executor = ThreadExecutor(name: "pip-render", clock: clock)
        let made: MadeContext
        do throws(GLError) {
            made = try await ContextMaker(executor).make(log: log)
        } catch {
            executor.stop()
            throw error
        }
        ExitGuard.watch(executor)
        self.executor = executor
        end = ContextEnd(native: made.native, deletions: deletions)
        capabilities = made.capabilities
        functions = made.functions
    }

    // Not an isolated one: a module that imports it cannot be optimized by Swift 6.3.1 ("circular reference").
    deinit {
        executor.stop { [end] in end.run() }
    }

    /// Makes a context, lends it, and comes back when it is gone with all that it had: its objects, its display and its
    /// thread.
    ///
    /// A context that is merely let go of ends a moment later, on its thread; what counts or measures should come after
    /// that.
    ///
    /// - Parameters:
    ///   - log: As for ``init(log:)``.
    ///   - body: Keeps neither the context nor a ``ReadbackBuffer`` beyond its end; the call would wait for them.
    /// - Returns: What `body` returns.
    /// - Throws: ``GLError`` when there is no context to be had, or what `body` throws.
    package static func with<Result>(
        log: (@Sendable (String) -> Void)? = nil, _ body: (RenderContext) async throws -> Result
    ) async throws -> Result {
        let executor: ThreadExecutor
        let result: Swift.Result<Result, any Error>
        do {
            let gpu = try await RenderContext(log: log)
            executor = gpu.executor
            do {
                result = .success(try await body(gpu))
            } catch {
                result = .failure(error)
            }
        }
        await executor.stopped()
        return try result.get()
    }

    /// GL objects that exist.
    ///
    /// An object whose owner is gone counts until the thread's next pass.
    package nonisolated var objectCounts: ObjectCounts { deletions.counts }

    /// Runs a function on the render thread.
    package func perform<Result: Sendable, Failure: Error>(
        _ body: @Sendable (isolated RenderContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self)
    }

    /// Deletes the objects whose owners are gone.
    ///
    /// Every draw and every creation of an object begins with it.
    package func deletePending() {
        guard deletions.needsDrain else { return }
        // Deleting unbinds, and a name may come back for another object.
        if deletions.drain(scratch: &scratch) { bound = BoundState() }
    }

    /// Hands what was queued to the GPU without waiting for it.
    package func flush() { glFlush() }

    /// Waits until the GPU has done everything.
    ///
    /// Not for the frame path.
    package func finish() { glFinish() }

    /// The oldest GL error since the last check; nil when there was none.
    package func takeError() -> GLError.Reason? {
        let code = glGetError()
        guard code != GL.noError else { return nil }
        // There may be several flags; a lost context reports for ever.
        for _ in 0..<8 where glGetError() == GL.noError { break }
        return .gl(code)
    }

    /// True when the GPU was reset, by this program's fault or another's.
    ///
    /// The context is then useless: make a new one. Always false where the driver reports no resets.
    package var isLost: Bool {
        if let resetStatus { return resetStatus() != GL.noError }
        guard let status = functions.resetStatus else { return false }
        return status() != GL.noError
    }

    /// Throws the GL error that a creation left.
    func checkError(_ operation: String, call: String) throws(GLError) {
        if let reason = takeError() { throw GLError(operation, call: call, reason: reason) }
    }
}

extension RenderContext {
    /// Runs a function at once, on the render thread, which the caller must already be on: another thread is stopped.
    ///
    /// Allocates nothing, so a tick can go through here; `assumeIsolated` allocates twice.
    package nonisolated func onThread<Result: Sendable, Failure: Error>(
        _ body: (isolated RenderContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Self.enter(self, body)
    }

    private nonisolated static func enter<Entry: ThreadEntry, Result: Sendable, Failure: Error>(
        _ entry: Entry, _ body: (isolated RenderContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try entry.runIsolated(body)
    }
}

/// A way into the context that the compiler does not check and the executor does, when it is taken.
private protocol ThreadEntry: Sendable {
    func runIsolated<Result: Sendable, Failure: Error>(
        _ body: (isolated RenderContext) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

extension RenderContext: @preconcurrency ThreadEntry {
    func runIsolated<Result: Sendable, Failure: Error>(
        _ body: (isolated RenderContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self)
    }
}

/// A context on its thread, with what was asked of it.
private struct MadeContext {
    let native: NativeContext
    let capabilities: Capabilities
    let functions: ExtensionFunctions
}

/// Makes contexts on a thread: `eglMakeCurrent` holds for the thread that calls it.
private actor ContextMaker {
    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ executor: ThreadExecutor) { self.executor = executor }

    func make(log: (@Sendable (String) -> Void)?) throws(GLError) -> sending MadeContext {
        let native = try DisplayLadder(choice: Environment.value("PIP_EGL")).climb(log: log)
        glDisable(GL.dither)
        glPixelStorei(GL.unpackAlignment, 1)
        glPixelStorei(GL.packAlignment, 1)
        return MadeContext(native: native, capabilities: Capabilities(of: native), functions: ExtensionFunctions())
    }
}

/// The remains of a context, for its thread to clean up.
private final class ContextEnd: @unchecked Sendable {
    // Touched by the context's thread alone, as its last job.
    private var native: NativeContext?
    private let deletions: DeletionQueue

    init(native: NativeContext, deletions: DeletionQueue) {
        self.native = native
        self.deletions = deletions
    }

    func run() {
        var scratch = DeletionQueue.Names()
        _ = deletions.drain(scratch: &scratch)
        native = nil
    }
}
