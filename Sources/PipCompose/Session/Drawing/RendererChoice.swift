/// The choice of the renderer of a session's pictures.
public enum RendererChoice: Sendable, CaseIterable {
    /// The cheaper of GPU and CPU by the planner's cost model. Without a GPU the CPU draws, and OpenGL ES in software
    /// draws only what the CPU cannot: an app's own GLSL.
    case automatic
    /// OpenGL ES, on a GPU or by software.
    case gl
    /// The CPU; nothing of OpenGL is loaded.
    case cpu

    /// The executors that may draw a plan, in order of preference.
    ///
    /// Later ones draw only what the earlier ones cannot.
    ///
    /// - Parameter hasGPU: True when a GPU executes OpenGL ES, as far as that is known before a context is open.
    /// - Returns: Sets, not empty.
    func attempts(hasGPU: Bool) -> [Set<Executor>] {
        switch self {
        case .gl: [[.gl]]
        case .cpu: [[.cpu]]
        case .automatic: hasGPU ? [[.gl, .cpu]] : [[.cpu], [.gl, .cpu]]
        }
    }
}
