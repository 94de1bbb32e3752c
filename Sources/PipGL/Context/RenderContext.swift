internal import CGL
package import PipConcurrency
internal import Synchronization

/// The render thread, `pip-render`, as an actor, with an OpenGL ES context once one is opened. No display is needed.
///
/// The CPU draws on it without a context, and then nothing of OpenGL is loaded. How code gets to GL, so that a call
/// from another thread does not compile:
///
/// - A function that calls GL is synchronous and takes `on gpu: isolated RenderContext`. Only code on the actor can
///   call it.
/// - Code on the actor is a method of it, the body of ``perform(_:)`` (from elsewhere, with `await`), or the body of
///   ``onThread(_:)`` (where the thread is already right, such as in a tick of
///   ``PipConcurrency/ThreadExecutor/callRepeatedly(from:_:)``).
/// - GL objects are classes that are not `Sendable`, so they cannot leave the actor: keep them in a property of an
///   object that lives there too. Their `deinit` calls no GL and may run anywhere. Making one takes the open context,
///   and throws where there is none.
///
/// An object does not keep its context alive, except ``ReadbackBuffer``, whose memory other threads read.
package actor RenderContext {
    /// The thread of all GL calls.
    ///
    /// Its recurring function is free for a render loop.
    package nonisolated let executor: ThreadExecutor
    private nonisolated let deletions: DeletionQueue
    private nonisolated let known = Mutex<Capabilities?>(nil)

    /// Nil until ``open(log:)``.
    private var opened: OpenContext?
    /// Asked in place of the driver whether the GPU was reset.
    private let resetStatus: (@Sendable () -> UInt32)?
    /// The cache of the context's state, by which redundant calls are left out.
    var bound = BoundState()
    private nonisolated let end: ContextEnd
    private var scratch = DeletionQueue.Names()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Starts the thread; opens nothing.
    ///
    /// - Parameters:
    ///   - clock: The clock of the render thread.
    ///   - resetStatus: Answers in place of the driver whether the GPU was reset, so that a context can be lost.
    package init(clock: MonotonicClock, resetStatus: (@Sendable () -> UInt32)? = nil) {
        self.resetStatus = resetStatus
        deletions = DeletionQueue()
        executor = ThreadExecutor(name: "pip-render", clock: clock)
        end = ContextEnd(deletions)
    }

    /// Starts the thread and opens a context on it.
    ///
    /// - Parameter log: As for ``open(log:)``.
    /// - Throws: ``GLError`` when there is no context to be had.
    package init(log: (@Sendable (String) -> Void)? = nil) async throws(GLError) {
        self.init(clock: MonotonicClock())
        try open(log: log)
    }

    /// Finds a GPU and makes a context on it: a render node by GBM, a device that EGL lists, Mesa without a device, or
    /// EGL's default display.
    ///
    /// Blocks the thread while the driver is loaded. Does nothing when a context is open.
    ///
    /// The environment variable `PIP_EGL` (`gbm`, `device`, `surfaceless`, `default`) allows one way only, for
    /// diagnosis.
    ///
    /// - Parameter log: Told the driver's messages of high severity, on the render thread. Such a context may be
    ///   slower.
    /// - Throws: ``GLError`` that names the library that is missing, or says what was tried, why each way failed, and
    ///   which packages are needed.
    package func open(log: (@Sendable (String) -> Void)? = nil) throws(GLError) {
        guard opened == nil else { return }
        let native = try DisplayLadder(choice: Environment.value("PIP_EGL")).climb(log: log)
        glDisable(GL.dither)
        glPixelStorei(GL.unpackAlignment, 1)
        glPixelStorei(GL.packAlignment, 1)
        let capabilities = Capabilities(of: native)
        ExitGuard.watch(executor)
        end.native = native
        opened = OpenContext(capabilities, ExtensionFunctions(), deletions)
        known.withLock { $0 = capabilities }
    }

    /// The GPU's capabilities; nil while no context is open.
    package nonisolated var capabilities: Capabilities? { known.withLock { $0 } }

    /// The open context.
    ///
    /// - Parameter operation: What needs it, to follow "cannot".
    /// - Returns: The context.
    /// - Throws: ``GLError`` when none is open.
    func context(to operation: @autoclosure () -> String) throws(GLError) -> OpenContext {
        if let opened { return opened }
        throw GLError(operation(), call: "eglMakeCurrent", reason: .text("no OpenGL ES context is open"))
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
    ///   - log: As for ``open(log:)``.
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
    package func flush() { if opened != nil { glFlush() } }

    /// Waits until the GPU has done everything.
    ///
    /// Not for the frame path.
    package func finish() { if opened != nil { glFinish() } }

    /// The oldest GL error since the last check; nil when there was none.
    package func takeError() -> GLError.Reason? {
        guard opened != nil else { return nil }
        let code = glGetError()
        guard code != GL.noError else { return nil }
        // There may be several flags; a lost context reports for ever.
        for _ in 0..<8 where glGetError() == GL.noError { break }
        return .gl(code)
    }

    /// True when the GPU was reset, by this program's fault or another's.
    ///
    /// The context is then useless: make a new one. Always false where the driver reports no resets, or none is open.
    package var isLost: Bool {
        guard let opened else { return false }
        if let resetStatus { return resetStatus() != GL.noError }
        guard let status = opened.functions.resetStatus else { return false }
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

/// The remains of a context, for its thread to clean up.
private final class ContextEnd: @unchecked Sendable {
    // Touched by the context's thread alone: when it opens, and as its last job.
    var native: NativeContext?
    private let deletions: DeletionQueue

    init(_ deletions: DeletionQueue) { self.deletions = deletions }

    func run() {
        guard native != nil else { return }
        var scratch = DeletionQueue.Names()
        _ = deletions.drain(scratch: &scratch)
        native = nil
    }
}
