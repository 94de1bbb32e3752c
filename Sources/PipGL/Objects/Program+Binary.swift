internal import CGL

/// A linked program in the driver's own binary format.
struct ProgramBinary: Equatable {
    /// The number by which GL identifies the format.
    var format: UInt32
    var bytes: [UInt8]
}

extension Program {
    /// Loads a binary; nil when the driver rejects the binary.
    convenience init?(
        label: String, binary: ProgramBinary, in context: OpenContext, on gpu: isolated RenderContext
    ) {
        gpu.deletePending()
        let name = glCreateProgram()
        unsafe binary.bytes.withUnsafeBytes { bytes in
            unsafe glProgramBinary(name, binary.format, bytes.baseAddress, GLsizei(bytes.count))
        }
        guard gpu.takeError() == nil, Shader.isLinked(name) else {
            glDeleteProgram(name)
            return nil
        }
        self.init(label: label, name: name, in: context)
    }

    /// The program's binary, for ``ProgramStore``; nil when the driver provides none.
    func binary(on gpu: isolated RenderContext) -> ProgramBinary? {
        let length = Int(Shader.value(name, GL.binaryLength))
        guard length > 0 else { return nil }
        var format: GLenum = 0
        var written: GLsizei = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            unsafe glGetProgramBinary(name, GLsizei(length), &written, &format, buffer.baseAddress)
            count = Int(written)
        }
        guard gpu.takeError() == nil, !bytes.isEmpty else { return nil }
        return ProgramBinary(format: format, bytes: bytes)
    }
}
