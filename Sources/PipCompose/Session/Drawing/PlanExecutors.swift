internal import Logging
internal import PipRender

/// The executors of a session's plans: the CPU, OpenGL ES or both.
///
/// Owns the GPU context.
///
/// Opens OpenGL ES when a plan first needs it.
///
/// Belongs to the session's pipeline.
final class PlanExecutors {
    /// The context and its render thread.
    ///
    /// Another one takes its place when the GPU was reset.
    private(set) var gpu: RenderContext
    private let options: SessionOptions
    private let attempts: [Set<Executor>]
    /// The measured times of the machine for pixels and bytes; nil when they are not known.
    private var weights: WorkWeights?
    /// The error by which OpenGL ES could not be opened; nil before the attempt.
    private var refusal: GLError?

    /// Starts the render thread.
    init(_ options: SessionOptions) {
        self.options = options
        attempts = options.executors ?? options.renderer.attempts(hasGPU: GPUDevices.areUsable)
        gpu = Self.thread(options)
    }

    /// Opens OpenGL ES if it is the preferred executor.
    ///
    /// - Throws: ``SessionError`` when there is none, and nothing else may draw.
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
    /// - Returns: True when it is open now, and was not before.
    func openForPlan() async -> Bool {
        guard gpu.capabilities == nil, refusal == nil, attempts.contains(where: { $0.contains(.gl) }) else {
            return false
        }
        do throws(GLError) {
            // The driver is loaded on another thread, so that this one misses no moment of the output by it.
            let loader = Self.thread(options)
            try await loader.open()
            try await gpu.open()
            return true
        } catch {
            try? refuse(error)
            return false
        }
    }

    /// Makes another render thread and context in place of one that was lost.
    ///
    /// - Throws: ``SessionError`` when there is no GPU any more.
    func replaceContext() async throws(SessionError) {
        gpu = Self.thread(options)
        do throws(GLError) { try await gpu.open() } catch { throw .gpu(error) }
    }

    /// The capabilities that plans are made with, in the order in which they are tried.
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

    /// Notes that there is no OpenGL ES.
    ///
    /// - Throws: ``SessionError`` when the CPU may not draw either.
    private func refuse(_ error: GLError) throws(SessionError) {
        refusal = error
        guard attempts.contains(where: { $0.contains(.cpu) }) else { throw .gpu(error) }
        options.logger?.warning("\(error); the CPU draws")
    }

    private static func thread(_ options: SessionOptions) -> RenderContext {
        RenderContext(clock: options.time, resetStatus: options.resetStatus)
    }
}
