/// The renderer that a session is asked to use: OpenGL ES, the CPU, or the cheaper of the two.
public enum RendererChoice: Sendable, CaseIterable {
    /// The GPU or the CPU, whichever the planner's cost model finds cheaper.
    ///
    /// Without a GPU, the CPU draws. OpenGL ES in software then draws only what the CPU cannot: an app's own GLSL.
    case automatic
    /// OpenGL ES, on a GPU or in software.
    case gl
    /// The CPU; no OpenGL library is loaded.
    case cpu

    /// The sets of executors that may draw a plan, in order of preference.
    ///
    /// A later set draws only plans that the earlier sets cannot draw.
    ///
    /// - Parameter hasGPU: True when a GPU executes OpenGL ES, as far as this is known before a context is open.
    /// - Returns: The sets, at least one, none of them empty.
    func attempts(hasGPU: Bool) -> [Set<Executor>] {
        switch self {
        case .gl: [[.gl]]
        case .cpu: [[.cpu]]
        case .automatic: hasGPU ? [[.gl, .cpu]] : [[.cpu], [.gl, .cpu]]
        }
    }
}
