internal import CGL
package import PipConcurrency
internal import Synchronization

/// The render thread, `pip-render`, as an actor. It has an OpenGL ES context once one is opened, and needs no display.
///
/// The CPU draws on it without a context, and then no library of OpenGL is loaded. These rules keep a GL call from
/// another thread from compiling:
///
/// - A function that calls GL is synchronous and takes `on gpu: isolated RenderContext`. Only code on the actor can
///   call it.
/// - Code on the actor is a method of it, the body of ``perform(_:)`` (from elsewhere, with `await`), or the body of
///   ``onThread(_:)`` (where the thread is already right, such as in a tick of
///   ``PipConcurrency/ThreadExecutor/callRepeatedly(from:_:)``).
/// - GL objects are classes that are not `Sendable`, so they cannot leave the actor: keep them in a property of an
///   object that lives there too. Their `deinit` calls no GL and may run anywhere. Their initializers take the open
///   context, and throw where there is none.
///
/// An object does not keep its context alive, except ``ReadbackBuffer``, whose memory other threads read.
package actor RenderContext {
    /// The thread of all GL calls.
    ///
    /// A render loop may use the executor's recurring function.
    package nonisolated let executor: ThreadExecutor
    private nonisolated let deletions: DeletionQueue
    private nonisolated let known = Mutex<Capabilities?>(nil)

    /// The context; nil before ``open(log:)``.
    private var opened: OpenContext?
    /// Replaces the driver's answer whether the GPU was reset.
    private let resetStatus: (@Sendable () -> UInt32)?
    /// The cache of the context's state, which skips redundant calls.
    var bound = BoundState()
    private nonisolated let end: ContextEnd
    private var scratch = DeletionQueue.Names()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Starts the thread, without a context.
    ///
    /// - Parameters:
    ///   - clock: The clock of the render thread.
    ///   - resetStatus: Replaces the driver's answer whether the GPU was reset, so that a test can lose a context.
    package init(clock: MonotonicClock, resetStatus: (@Sendable () -> UInt32)? = nil) {
        self.resetStatus = resetStatus
        deletions = DeletionQueue()
        executor = ThreadExecutor(name: "pip-render", clock: clock)
        end = ContextEnd(deletions)
    }

    /// Starts the thread and opens a context on it.
    ///
    /// - Parameter log: Receives messages as in ``open(log:)``.
    /// - Throws: ``GLError`` when no context can be made.
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
    /// - Parameter log: Receives the driver's messages of high severity, on the render thread. A context with a log may
    ///   be slower.
    /// - Throws: ``GLError`` with the missing library, or with the reason why each way failed and the packages that are
    ///   needed.
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
    /// - Parameter operation: The operation that needs the context, to follow "cannot".
    /// - Returns: The context.
    /// - Throws: ``GLError`` when none is open.
    func context(to operation: @autoclosure () -> String) throws(GLError) -> OpenContext {
        if let opened { return opened }
        throw GLError(operation(), call: "eglMakeCurrent", reason: .text("no OpenGL ES context is open"))
    }

    // This `deinit` is not isolated: Swift 6.3.1 cannot optimize a module that imports an isolated one ("circular
    // reference").
    deinit {
        executor.stop { [end] in end.run() }
    }

    /// Makes a context, lends it, and returns after its objects, its display and its thread are gone.
    ///
    /// A context that is only released ends a moment later, on its thread. Use this function before counting or
    /// measuring.
    ///
    /// - Parameters:
    ///   - log: Receives messages as in ``open(log:)``.
    ///   - body: The function. It must keep neither the context nor a ``ReadbackBuffer``, for which the call would
    ///     wait.
    /// - Returns: The result of `body`.
    /// - Throws: ``GLError`` when no context can be made, and the error of `body`.
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

    /// The number of GL objects.
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
        // Deletion unbinds an object, and another object may get its name.
        if deletions.drain(scratch: &scratch) { bound = BoundState() }
    }

    /// Submits queued commands to the GPU without waiting.
    package func flush() { if opened != nil { glFlush() } }

    /// Waits until the GPU has done all commands.
    ///
    /// Must not be called in the frame path.
    package func finish() { if opened != nil { glFinish() } }

    /// The oldest GL error since the last check; nil when there was none.
    package func takeError() -> GLError.Reason? {
        guard opened != nil else { return nil }
        let code = glGetError()
        guard code != GL.noError else { return nil }
        // There may be several flags, and a lost context reports one for ever.
        for _ in 0..<8 where glGetError() == GL.noError { break }
        return .gl(code)
    }

    /// True when the GPU was reset, because of this program or another.
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
    /// Runs a function immediately.
    ///
    /// The caller must be on the render thread; another thread traps.
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

/// An entry into the context that the compiler does not check.
///
/// The executor checks it when it is used.
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

/// The parts of a context that its thread cleans up.
private final class ContextEnd: @unchecked Sendable {
    // Only the context's thread touches this: when the context opens, and in its last job.
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
