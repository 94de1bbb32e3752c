/// The choice of what draws a session's pictures.
public enum RendererChoice: Sendable, CaseIterable {
    /// With a GPU, whichever is cheaper by the planner's reckoning; without one, the CPU, and OpenGL ES drawn by
    /// software only for what the CPU cannot draw: an app's own GLSL.
    case automatic
    /// OpenGL ES, on a GPU or by software.
    case gl
    /// The CPU; nothing of OpenGL is loaded.
    case cpu

    /// The executors that may draw a plan, in the order in which they are tried: the next ones draw what those before
    /// cannot.
    ///
    /// - Parameter hasGPU: True where OpenGL ES is drawn by a GPU, as far as that can be told without opening it.
    /// - Returns: Sets, not empty.
    func attempts(hasGPU: Bool) -> [Set<Executor>] {
        switch self {
        case .gl: [[.gl]]
        case .cpu: [[.cpu]]
        case .automatic: hasGPU ? [[.gl, .cpu]] : [[.cpu], [.gl, .cpu]]
        }
    }
}
