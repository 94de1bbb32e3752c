import PipFrames
import Testing

@testable import PipGL

@Suite("A program")
struct ProgramTests {
    @Test("row 41: a program that does not compile is an error with the file and line of the mistake")
    func compileError() async throws {
        let chunks = [
            ShaderChunk(name: "head", text: "precision highp float;\nlayout(location = 0) out vec4 color;\n"),
            ShaderChunk(
                name: "Gamma.frag", text: "float gamma() {\n    return 2.2;\n}\n\nvec4 broken() {\n  return colour;\n}"),
            ShaderChunk(name: "main", text: "void main() { color = broken(); }"),
        ]
        try await RenderContext.with { gpu in
            let error = await #expect(throws: GLError.self) {
                try await gpu.perform { gpu in
                    _ = try Program(label: "Gamma", vertex: [VertexlessQuad.chunk], fragment: chunks, on: gpu)
                }
            }
            guard case .shader(let messages)? = error?.reason else {
                Issue.record("not a compiler's message: \(String(describing: error))")
                return
            }
            let message = try #require(messages.first { $0.text.contains("colour") })
            #expect(message.file == "Gamma.frag")
            #expect(message.line == 6)
            // NVIDIA's driver adds a number to the word "error".
            #expect(message.text.hasPrefix("error"))
            #expect(
                error?.description.hasPrefix(
                    "program \"Gamma\": cannot compile the fragment shader: glCompileShader: Gamma.frag:6:") == true)
            #expect(gpu.objectCounts.total == 0)
        }
    }

    @Test("a program whose shaders do not fit together is an error of the linker")
    func linkError() async throws {
        try await RenderContext.with { gpu in
            let error = await #expect(throws: GLError.self) {
                try await gpu.perform { gpu in
                    _ = try Program.test(
                        "precision highp float; in vec3 position; layout(location = 0) out vec4 c; void main() { c = vec4(position, 1); }",
                        label: "misfit", on: gpu)
                }
            }
            #expect(error?.call == "glLinkProgram")
            #expect(error?.subject == "program \"misfit\"")
            #expect(error?.description.contains("position") == true)
        }
    }

    @Test("knows its uniforms, arrays by their plain name")
    func locations() async throws {
        try await RenderContext.with { gpu in
            try await gpu.perform { gpu in
                let program = try Program.test(
                    """
                    precision highp float;
                    uniform float weights[3]; uniform mat4x3 matrix; uniform float unused;
                    layout(location = 0) out vec4 color;
                    void main() { color = vec4(matrix * vec4(weights[0], weights[1], weights[2], 1.0), 1.0); }
                    """, on: gpu)
                let weights = try #require(program.location("weights"))
                let matrix = try #require(program.location("matrix"))
                #expect(program.location("unused") == nil)
                #expect(program.location("weights[0]") == nil)
                let values: [Float] = [0.2, 0.4, 0.6]
                // The first three columns are the identity, and the fourth is an offset.
                let columns: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2, 0.2, 0.2]
                unsafe values.withUnsafeBufferPointer { unsafe program.set(weights, .float, $0, on: gpu) }
                unsafe columns.withUnsafeBufferPointer { unsafe program.set(matrix, .mat4x3, $0, on: gpu) }
                let target = try RenderTarget([Texture(size: PixelSize(1, 1), format: .rgba8, on: gpu)], on: gpu)
                DrawState(program, into: target).draw(on: gpu)
                let bytes = try target.bytes(on: gpu)
                #expect(bytes == [102, 153, 204, 255])
            }
        }
    }
}

@Suite("A driver's log")
struct ShaderLogTests {
    private let chunks = [ShaderChunk(name: "a.frag", text: ""), ShaderChunk(name: "b.frag", text: "")]

    @Test(
        "a log is parsed in every driver's format",
        arguments: [
            ("0:10012(5): error: no such name", "b.frag:12:5: error: no such name"),
            ("0:3(1): warning: unused", "a.frag:3:1: warning: unused"),
            ("0(10012) : error C1008: undefined variable", "b.frag:12: error C1008: undefined variable"),
            ("ERROR: 0:10012: 'x' : undeclared identifier", "b.frag:12: error: 'x' : undeclared identifier"),
            ("WARNING: 0:2: deprecated", "a.frag:2: warning: deprecated"),
            ("error: linking failed", "error: linking failed"),
            ("0:70001(1): error: no such piece", "0:70001(1): error: no such piece"),
            ("2 errors", "2 errors"),
        ])
    func formats(line: String, expected: String) {
        #expect(ShaderLog.parse(line, chunks: chunks).map(\.description) == [expected])
    }

    @Test("a log has one message for each line")
    func lines() {
        let messages = ShaderLog.parse("0:1(1): error: one\n\n0:10002(3): error: two\n", chunks: chunks)
        #expect(messages.map(\.file) == ["a.frag", "b.frag"])
        #expect(messages.map(\.line) == [1, 2])
    }
}
