internal import PipPixels

/// What draws a session's pictures.
public struct SessionRenderer: Sendable, Equatable, CustomStringConvertible {
    /// What draws the plan in use.
    public let executor: Executor
    /// The instructions of the processor by which the CPU draws, such as `AVX-512`.
    public let instructionSet: String
    /// OpenGL ES; nil while no context is open.
    public let openGL: Capabilities?

    init(_ executor: Executor, _ openGL: Capabilities?) {
        self.executor = executor
        self.openGL = openGL
        instructionSet = InstructionSet.current.rawValue
    }

    /// True when drawing takes the CPU's own time.
    public var isSoftware: Bool { executor == .cpu || openGL?.isSoftware != false }

    /// The name of what draws: a GPU's, or `the CPU (AVX-512)`.
    public var description: String {
        if executor == .gl, let openGL { return openGL.renderer }
        return "the CPU (\(instructionSet))"
    }
}
