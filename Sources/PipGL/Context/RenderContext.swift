internal import CGL
package import PipConcurrency
internal import Synchronization

/// The render thread, `pip-render`, as an actor, with an OpenGL ES context once ``open(log:)`` has made one. The
/// context needs no screen.
///
/// Until ``open(log:)`` is called, this actor loads no OpenGL library. The following rules make a GL call from another
/// thread a compile-time error:
///
/// - A function that calls GL is synchronous and takes `on gpu: isolated RenderContext`. Only code on the actor can
///   call such a function.
/// - Code runs on the actor in a method of the actor, or in the body of ``perform(_:)``, which other code calls with
///   `await`. Code that is on the render thread already, such as a tick of
///   ``PipConcurrency/ThreadExecutor/callRepeatedly(from:_:)``, calls ``onThread(_:)``.
/// - GL objects other than ``Fence`` and ``ReadbackBuffer`` are not `Sendable`, so they cannot leave the actor: keep
///   them in a property of an object that stays on the actor. The `deinit` of a GL object calls no GL and may run on
///   any thread. The initializers of GL objects take the `RenderContext`, and throw an error while no context is open.
///
/// GL objects do not keep their context alive, except ``ReadbackBuffer``, whose memory other threads read.
package actor RenderContext {
    /// The executor of the render thread.
    ///
    /// A render loop may run its ticks with ``PipConcurrency/ThreadExecutor/callRepeatedly(from:_:)``.
    package nonisolated let executor: ThreadExecutor
    private nonisolated let deletions: DeletionQueue
    private nonisolated let known = Mutex<Capabilities?>(nil)

    /// The open context; nil before ``open(log:)``.
    private var opened: OpenContext?
    /// A replacement, for tests, of the driver's report of GPU resets; nil asks the driver.
    private let resetStatus: (@Sendable () -> UInt32)?
    /// The cache of the context's GL state, which skips redundant GL calls.
    var bound = BoundState()
    private nonisolated let end: ContextEnd
    private var scratch = DeletionQueue.Names()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Starts the render thread, without a context.
    ///
    /// - Parameters:
    ///   - clock: The clock of the render thread.
    ///   - resetStatus: Replaces the driver's report of GPU resets, so that a test can lose a context; nil asks the
    ///     driver.
    package init(clock: MonotonicClock, resetStatus: (@Sendable () -> UInt32)? = nil) {
        self.resetStatus = resetStatus
        deletions = DeletionQueue()
        executor = ThreadExecutor(name: "pip-render", clock: clock)
        end = ContextEnd(deletions)
    }

    /// Starts the render thread and opens a context on it.
    ///
    /// - Parameter log: Receives messages as in ``open(log:)``.
    /// - Throws: ``GLError`` when no context can be made.
    package init(log: (@Sendable (String) -> Void)? = nil) async throws(GLError) {
        self.init(clock: MonotonicClock())
        try open(log: log)
    }

    /// Finds a GPU or a software renderer, and makes a context on it.
    ///
    /// Tries a render node by GBM, a device that EGL lists, Mesa's surfaceless platform, and EGL's default display.
    /// Does nothing when a context is open. Blocks the render thread while the driver is loaded.
    ///
    /// The environment variable `PIP_EGL` (`gbm`, `device`, `surfaceless` or `default`) restricts the search to one of
    /// these ways, for diagnosis.
    ///
    /// - Parameter log: Receives the driver's messages of high severity, on the render thread. A context with a log may
    ///   be slower.
    /// - Throws: ``GLError`` with the missing library, or with the reasons for which all ways failed, and the packages
    ///   that are needed; also when `PIP_EGL` names none of the ways.
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

    /// Returns the open context.
    ///
    /// - Parameter operation: The operation that needs the context, to follow "cannot".
    /// - Returns: The context.
    /// - Throws: ``GLError`` when no context is open.
    func context(to operation: @autoclosure () -> String) throws(GLError) -> OpenContext {
        if let opened { return opened }
        throw GLError(operation(), call: "eglMakeCurrent", reason: .text("no OpenGL ES context is open"))
    }

    // This `deinit` is not isolated, because Swift 6.3.1 cannot optimize a module that imports an isolated `deinit`
    // ("circular reference").
    deinit {
        executor.stop { [end] in end.run() }
    }

    /// Calls `body` with a new context, and returns after the context, its GL objects and its thread are gone.
    ///
    /// A context that is merely released ends a moment later, on its thread. Use this function before you count objects
    /// or measure.
    ///
    /// - Parameters:
    ///   - log: Receives messages as in ``open(log:)``.
    ///   - body: The function to call. If `body` kept the context or a ``ReadbackBuffer``, the call would wait for
    ///     their release.
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

    /// The number of the context's GL objects, by kind.
    ///
    /// A released object still counts until the render thread next deletes names.
    package nonisolated var objectCounts: ObjectCounts { deletions.counts }

    /// Runs a function on the render thread and returns its result.
    package func perform<Result: Sendable, Failure: Error>(
        _ body: @Sendable (isolated RenderContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self)
    }

    /// Deletes the GL objects that were released.
    ///
    /// Every draw, and every creation of an object other than a ``Fence``, begins with this call.
    package func deletePending() {
        guard deletions.needsDrain else { return }
        // Deletion unbinds an object, and a new object may get the deleted name, so the cached bindings are void.
        if deletions.drain(scratch: &scratch) { bound = BoundState() }
    }

    /// Submits queued commands to the GPU without waiting.
    package func flush() { if opened != nil { glFlush() } }

    /// Waits until the GPU has finished all commands.
    ///
    /// Must not be called in the frame path.
    package func finish() { if opened != nil { glFinish() } }

    /// Returns a GL error since the last call, and clears all others; nil when there was none, or no context is open.
    package func takeError() -> GLError.Reason? {
        guard opened != nil else { return nil }
        let code = glGetError()
        guard code != GL.noError else { return nil }
        // GL may hold several error flags. A lost context reports an error for ever, so at most eight more are cleared.
        for _ in 0..<8 where glGetError() == GL.noError { break }
        return .gl(code)
    }

    /// True when the GPU was reset, by this program or another one.
    ///
    /// The context is then unusable: make a new context. Always false where the driver reports no resets, or while no
    /// context is open.
    package var isLost: Bool {
        guard let opened else { return false }
        if let resetStatus { return resetStatus() != GL.noError }
        guard let status = opened.functions.resetStatus else { return false }
        return status() != GL.noError
    }

    /// Throws the GL error that the creation of an object has left, if any.
    func checkError(_ operation: String, call: String) throws(GLError) {
        if let reason = takeError() { throw GLError(operation, call: call, reason: reason) }
    }
}

extension RenderContext {
    /// Runs a function immediately.
    ///
    /// The caller must be on the render thread; a call from another thread traps.
    ///
    /// Allocates nothing, unlike `assumeIsolated`, which allocates twice. A tick may therefore use this function.
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

/// Calls isolated code without a check by the compiler.
///
/// The executor checks the thread at run time.
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

/// The parts of a context that the render thread releases before it ends.
private final class ContextEnd: @unchecked Sendable {
    // Only the render thread touches this property: when the context opens, and before the thread ends.
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
