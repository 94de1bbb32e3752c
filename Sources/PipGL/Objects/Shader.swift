internal import CGL

/// Functions that compile and link GLSL.
enum Shader {
    /// Compiles and links a vertex and a fragment shader.
    ///
    /// - Returns: The name of the GL program, which the caller must delete.
    /// - Throws: ``GLError`` with the program's label and the driver's messages.
    static func link(label: String, vertex: [ShaderChunk], fragment: [ShaderChunk]) throws(GLError) -> GLuint {
        let vertexShader = try compile(vertex, GL.vertexShader, "vertex", label: label)
        defer { glDeleteShader(vertexShader) }
        let fragmentShader = try compile(fragment, GL.fragmentShader, "fragment", label: label)
        defer { glDeleteShader(fragmentShader) }
        return try link(label: label, vertexShader, fragmentShader)
    }

    /// Compiles and links a compute shader.
    ///
    /// - Returns: The name of the GL program, which the caller must delete.
    /// - Throws: ``GLError`` with the program's label and the driver's messages.
    static func link(label: String, compute: [ShaderChunk]) throws(GLError) -> GLuint {
        let shader = try compile(compute, GLenum(GL_COMPUTE_SHADER), "compute", label: label)
        defer { glDeleteShader(shader) }
        return try link(label: label, shader)
    }

    private static func link(label: String, _ shaders: GLuint...) throws(GLError) -> GLuint {
        let program = glCreateProgram()
        glProgramParameteri(program, GL.binaryRetrievable, GL_TRUE)
        for shader in shaders { glAttachShader(program, shader) }
        glLinkProgram(program)
        for shader in shaders { glDetachShader(program, shader) }
        guard isLinked(program) else {
            let log = unsafe text(ofLength: value(program, GL.infoLogLength)) {
                unsafe glGetProgramInfoLog(program, $0, nil, $1)
            }
            glDeleteProgram(program)
            throw GLError(
                "link the shaders", subject: "program \"\(label)\"", call: "glLinkProgram",
                reason: .shader(ShaderLog.parse(log, chunks: [])))
        }
        return program
    }

    /// True when the program was linked, or its binary loaded, without an error.
    static func isLinked(_ program: GLuint) -> Bool { value(program, GL.linkStatus) == GL_TRUE }

    /// Reads an integer parameter of a program (`glGetProgramiv`).
    static func value(_ program: GLuint, _ parameter: GLenum) -> GLint {
        var value: GLint = 0
        unsafe glGetProgramiv(program, parameter, &value)
        return value
    }

    private static func compile(
        _ chunks: [ShaderChunk], _ type: GLenum, _ stage: String, label: String
    ) throws(GLError)
        -> GLuint
    {
        let shader = glCreateShader(type)
        unsafe chunks.shaderText.withCString { source in
            var pointer: UnsafePointer<CChar>? = unsafe source
            unsafe glShaderSource(shader, 1, &pointer, nil)
        }
        glCompileShader(shader)
        var status: GLint = 0
        unsafe glGetShaderiv(shader, GL.compileStatus, &status)
        guard status == GL_TRUE else {
            var length: GLint = 0
            unsafe glGetShaderiv(shader, GL.infoLogLength, &length)
            let log = unsafe text(ofLength: length) { unsafe glGetShaderInfoLog(shader, $0, nil, $1) }
            glDeleteShader(shader)
            throw GLError(
                "compile the \(stage) shader", subject: "program \"\(label)\"", call: "glCompileShader",
                reason: .shader(ShaderLog.parse(log, chunks: chunks)))
        }
        return shader
    }

    private static func text(ofLength length: GLint, _ fill: (GLsizei, UnsafeMutablePointer<CChar>) -> Void) -> String {
        guard length > 0 else { return "" }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(length) + 1) { buffer in
            unsafe buffer.initialize(repeating: 0)
            guard let start = buffer.baseAddress else { return "" }
            unsafe fill(length, start)
            return unsafe String(cString: start)
        }
    }
}
