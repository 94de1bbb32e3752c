internal import CGL

/// An EGL or OpenGL ES operation that has failed.
public struct GLError: Error, Hashable, CustomStringConvertible {
    /// The cause of the failure: an error code of EGL or GL, messages of the compiler, a lost context, or text.
    public enum Reason: Hashable, Sendable {
        /// An error code from `eglGetError`.
        case egl(Int32)
        /// An error code from `glGetError`.
        case gl(UInt32)
        /// The messages of the GLSL compiler or linker, with their positions where the driver gives them.
        case shader([ShaderMessage])
        /// The GPU was reset repeatedly, by this program or another one.
        case contextLost
        /// A reason that is not an error code, as text.
        case text(String)
    }

    /// The object that was used, such as `program "Sepia"`; nil when ``operation`` names the object.
    public let subject: String?
    /// The operation that failed, to follow "cannot": `make a texture of 1280x720 in rgba8`.
    public let operation: String
    /// The C call that failed, such as `glTexStorage2D`.
    public let call: String
    /// The error code, the compiler's messages, or the text that names the cause.
    public let reason: Reason

    package init(_ operation: String, subject: String? = nil, call: String, reason: Reason) {
        self.subject = subject
        self.operation = operation
        self.call = call
        self.reason = reason
    }

    /// The error as a sentence: `program "Sepia": cannot compile the fragment shader: glCompileShader: Sepia.frag:3:5:
    /// error: …`.
    public var description: String {
        let sentence = "cannot \(operation): \(call): \(reason)"
        return if let subject { "\(subject): \(sentence)" } else { sentence }
    }
}

extension GLError.Reason: CustomStringConvertible {
    /// The name of an error code, the compiler's messages with a line for each, or the text.
    public var description: String {
        switch self {
        case .egl(let code): Self.name(ofEGLError: code)
        case .gl(let code): Self.name(ofGLError: code)
        case .shader(let messages):
            messages.isEmpty ? "the driver gave no message" : messages.map(\.description).joined(separator: "\n")
        case .contextLost: "the GPU was reset three times within a minute"
        case .text(let text): text
        }
    }

    /// The error of the calling thread's last EGL call.
    static var newestEGL: Self { .egl(eglGetError()) }

    private static func name(ofEGLError code: Int32) -> String {
        switch code {
        case EGL_SUCCESS: "no error given"
        case EGL_NOT_INITIALIZED: "EGL_NOT_INITIALIZED (the driver could not be loaded)"
        case EGL_BAD_ACCESS: "EGL_BAD_ACCESS (in use by another thread)"
        case EGL_BAD_ALLOC: "EGL_BAD_ALLOC (out of memory)"
        case EGL_BAD_ATTRIBUTE: "EGL_BAD_ATTRIBUTE (not supported by the driver)"
        case EGL_BAD_CONFIG: "EGL_BAD_CONFIG"
        case EGL_BAD_CONTEXT: "EGL_BAD_CONTEXT"
        case EGL_BAD_DISPLAY: "EGL_BAD_DISPLAY"
        case EGL_BAD_MATCH: "EGL_BAD_MATCH (attributes, format or version not supported together)"
        case EGL_BAD_PARAMETER: "EGL_BAD_PARAMETER (platform or argument not supported by the driver)"
        case EGL_CONTEXT_LOST: "EGL_CONTEXT_LOST (the GPU was reset)"
        default: "EGL error 0x\(String(code, radix: 16))"
        }
    }

    private static func name(ofGLError code: UInt32) -> String {
        switch code {
        case GL.noError: "no error given"
        case GLenum(GL_INVALID_ENUM): "GL_INVALID_ENUM"
        case GLenum(GL_INVALID_VALUE): "GL_INVALID_VALUE"
        case GLenum(GL_INVALID_OPERATION): "GL_INVALID_OPERATION"
        case GLenum(GL_INVALID_FRAMEBUFFER_OPERATION): "GL_INVALID_FRAMEBUFFER_OPERATION"
        case GLenum(GL_OUT_OF_MEMORY): "GL_OUT_OF_MEMORY (out of memory)"
        case GLenum(GL_CONTEXT_LOST): "GL_CONTEXT_LOST (the GPU was reset)"
        default: "GL error 0x\(String(code, radix: 16))"
        }
    }
}
