internal import Logging
internal import PipRender

/// The executors of a session's plans: the CPU, OpenGL ES or both.
///
/// Owns the GPU context. Opens OpenGL ES at the session's start if OpenGL ES is preferred, else when a plan first needs
/// it.
///
/// Thread: the session's controller only.
final class PlanExecutors {
    /// The GPU context and its render thread.
    ///
    /// A new context with a new thread replaces the old context and its thread after the GPU was reset.
    private(set) var gpu: RenderContext
    private let options: SessionOptions
    private let attempts: [Set<Executor>]
    /// The measured times of drawing operations on this machine; nil while they are not known.
    private var weights: WorkWeights?
    /// The error with which opening OpenGL ES has failed; nil while no attempt has failed.
    private var refusal: GLError?

    /// Starts the render thread.
    init(_ options: SessionOptions) {
        self.options = options
        attempts = options.executors ?? options.renderer.attempts(hasGPU: GPUDevices.areUsable)
        gpu = Self.thread(options)
    }

    /// Opens OpenGL ES if it is the preferred executor.
    ///
    /// - Throws: ``SessionError`` when OpenGL ES cannot be opened, and no other executor is allowed.
    func prepare() async throws(SessionError) {
        guard attempts.first?.contains(.gl) == true else { return }
        do throws(GLError) {
            try await gpu.open()
            weights = await gpu.workWeights()
        } catch {
            try refuse(error)
        }
    }

    /// Opens OpenGL ES for a plan that the CPU cannot draw.
    ///
    /// The CPU goes on drawing meanwhile.
    ///
    /// - Returns: True when this call has opened OpenGL ES. False when OpenGL ES was open before, must not be used, or
    ///   cannot be opened.
    func openForPlan() async -> Bool {
        guard gpu.capabilities == nil, refusal == nil, attempts.contains(where: { $0.contains(.gl) }) else {
            return false
        }
        do throws(GLError) {
            // Another thread loads the driver first, so that this render thread misses no tick during the loading.
            let loader = Self.thread(options)
            try await loader.open()
            weights = await loader.workWeights(measures: false)
            try await gpu.open()
            return true
        } catch {
            try? refuse(error)
            return false
        }
    }

    /// Replaces a lost context and its render thread.
    ///
    /// - Throws: ``SessionError`` when OpenGL ES cannot be opened any more.
    func replaceContext() async throws(SessionError) {
        gpu = Self.thread(options)
        do throws(GLError) { try await gpu.open() } catch { throw .gpu(error) }
    }

    /// The renderer capabilities that plans are made with, in order of preference.
    var capabilities: [PlanCapabilities] {
        var capabilities = gpu.capabilities.plan
        capabilities.weights = weights
        let isOpen = gpu.capabilities != nil
        let usable = attempts.map { isOpen ? $0 : $0.subtracting([.gl]) }.filter { !$0.isEmpty }
        return usable.map { executors in
            capabilities.executors = executors
            return capabilities
        }
    }

    /// Notes that OpenGL ES cannot be opened.
    ///
    /// - Throws: ``SessionError`` when the CPU may not draw either.
    private func refuse(_ error: GLError) throws(SessionError) {
        refusal = error
        guard attempts.contains(where: { $0.contains(.cpu) }) else { throw .gpu(error) }
        options.logger?.warning("\(error); the CPU draws without OpenGL ES")
    }

    private static func thread(_ options: SessionOptions) -> RenderContext {
        RenderContext(clock: options.time, resetStatus: options.resetStatus)
    }
}
