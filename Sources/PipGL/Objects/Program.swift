internal import CGL

/// A linked program: a vertex and a fragment shader, or a compute shader.
///
/// Uniforms keep their values from draw to draw.
package final class Program {
    /// The program's name in errors and traces.
    package let label: String
    let name: GLuint
    private let locations: [String: Int32]
    /// The location of ``VertexlessQuad``'s uniform `regions`; -1 where the shader lacks it.
    let regionsLocation: Int32
    let targetSizeLocation: Int32
    private let deletions: DeletionQueue

    /// Compiles and links a vertex and a fragment shader.
    ///
    /// - Parameters:
    ///   - label: The program's name in errors and traces.
    ///   - vertex: The vertex shader's pieces, usually ``VertexlessQuad/chunk`` alone.
    ///   - fragment: The fragment shader's pieces, in order.
    ///   - gpu: The context.
    /// - Throws: ``GLError`` with the messages of the compiler, which name the piece and the line, or of the linker; or
    ///   when no context is open.
    package convenience init(
        label: String, vertex: [ShaderChunk], fragment: [ShaderChunk], on gpu: isolated RenderContext
    ) throws(GLError) {
        let context = try gpu.context(to: "make the program \"\(label)\"")
        gpu.deletePending()
        self.init(label: label, name: try Shader.link(label: label, vertex: vertex, fragment: fragment), in: context)
    }

    /// Compiles and links a compute shader.
    ///
    /// - Throws: ``GLError`` with the messages of the compiler, which name the piece and the line, or of the linker; or
    ///   when no context is open.
    package convenience init(label: String, compute: [ShaderChunk], on gpu: isolated RenderContext) throws(GLError) {
        let context = try gpu.context(to: "make the program \"\(label)\"")
        gpu.deletePending()
        self.init(label: label, name: try Shader.link(label: label, compute: compute), in: context)
    }

    /// Wraps a linked GL program, which this object deletes.
    init(label: String, name: GLuint, in context: OpenContext) {
        self.label = label
        self.name = name
        locations = Self.activeUniforms(of: name)
        regionsLocation = locations["regions"] ?? -1
        targetSizeLocation = locations["targetSize"] ?? -1
        deletions = context.deletions
        deletions.countCreation(.program)
    }

    deinit { deletions.append(.program, name) }

    /// The location of a uniform; nil when the program does not use the uniform.
    ///
    /// An array is named without an index.
    package func location(_ name: String) -> Int32? { locations[name] }

    private static func activeUniforms(of program: GLuint) -> [String: Int32] {
        let count = Shader.value(program, GL.activeUniforms)
        let capacity = max(1, Int(Shader.value(program, GL.activeUniformNameLength)))
        var locations: [String: Int32] = [:]
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return }
            for index in 0..<count {
                var size: GLint = 0
                var type: GLenum = 0
                unsafe glGetActiveUniform(program, GLuint(index), GLsizei(capacity), nil, &size, &type, start)
                // Members of uniform blocks have the location -1.
                let location = unsafe glGetUniformLocation(program, start)
                guard location >= 0 else { continue }
                let name = unsafe String(cString: start)
                locations[name.hasSuffix("[0]") ? String(name.dropLast(3)) : name] = location
            }
        }
        return locations
    }
}
