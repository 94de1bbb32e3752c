internal import PipPixels
internal import PipPlan

/// The renderer that draws a session's pictures: a GPU, the CPU, or both.
public struct SessionRenderer: Sendable, Equatable, CustomStringConvertible {
    /// The executor of the plan in use.
    public let executor: Executor
    /// True when the CPU draws the outputs, and OpenGL ES some pictures that the CPU cannot draw or draws more slowly.
    public let isMixed: Bool
    /// The instruction set that the CPU draws with, such as `AVX-512`.
    public let instructionSet: String
    /// The capabilities of OpenGL ES; nil while no context is open.
    public let openGL: Capabilities?

    init(_ plan: RenderPlan, _ openGL: Capabilities?) {
        executor = plan.executor
        isMixed = plan.isMixed
        self.openGL = openGL
        instructionSet = InstructionSet.current.rawValue
    }

    /// True when the CPU draws the outputs, by itself or through OpenGL ES in software.
    public var isSoftware: Bool { executor == .cpu || openGL?.isSoftware != false }

    /// The renderer's name: that of the OpenGL ES renderer, `the CPU (AVX-512)`, or both.
    public var description: String {
        if executor == .gl, let openGL { return openGL.renderer }
        let processor = "the CPU (\(instructionSet))"
        guard isMixed, let openGL else { return processor }
        return "\(processor) and \(openGL.renderer)"
    }
}
