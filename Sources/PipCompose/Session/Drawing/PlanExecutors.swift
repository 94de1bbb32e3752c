internal import Logging
internal import PipRender

/// The CPU, OpenGL ES or both, as a session's plans may be drawn by them.
///
/// Opens OpenGL ES when a plan first needs it.
///
/// Belongs to the session's pipeline.
final class PlanExecutors {
    /// The render thread.
    private(set) var gpu: RenderContext
    private let options: SessionOptions
    private let attempts: [Set<Executor>]
    /// How long the machine takes for its work; nil when it is not known.
    private var weights: WorkWeights?
    /// Why there is no OpenGL ES, once it was tried.
    private var refusal: GLError?

    /// Starts the render thread.
    init(_ options: SessionOptions) {
        self.options = options
        attempts = options.executors ?? options.renderer.attempts(hasGPU: GPUDevices.areUsable)
        gpu = Self.thread(options)
    }

    /// Opens OpenGL ES if it is what draws first.
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

    /// Opens OpenGL ES for a plan that nothing else can draw; what is drawn by the CPU goes on meanwhile.
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

    /// Makes another thread, and another context, in place of one that was lost.
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

    /// Notes that there is no OpenGL ES; an error where nothing else may draw.
    private func refuse(_ error: GLError) throws(SessionError) {
        refusal = error
        guard attempts.contains(where: { $0.contains(.cpu) }) else { throw .gpu(error) }
        options.logger?.warning("\(error); the CPU draws")
    }

    private static func thread(_ options: SessionOptions) -> RenderContext {
        RenderContext(clock: options.time, resetStatus: options.resetStatus)
    }
}
