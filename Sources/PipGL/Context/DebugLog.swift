internal import CGL

/// Receives the driver's debug messages of high severity (`KHR_debug`), and passes them to a closure.
final class DebugLog {
    private let log: @Sendable (String) -> Void

    init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

    /// Starts to receive the messages of the current context; does nothing where the driver lacks `KHR_debug`.
    ///
    /// The caller must destroy the context before this object.
    func start() {
        guard
            let setCallback = unsafe EGLLibrary.function(
                "glDebugMessageCallbackKHR", as: PFNGLDEBUGMESSAGECALLBACKKHRPROC.self),
            let control = unsafe EGLLibrary.function(
                "glDebugMessageControlKHR", as: PFNGLDEBUGMESSAGECONTROLKHRPROC.self)
        else { return }
        unsafe setCallback(
            { _, _, _, severity, _, text, user in
                guard severity == GL.debugSeverityHigh, let text = unsafe text, let user = unsafe user else { return }
                let receiver = unsafe Unmanaged<DebugLog>.fromOpaque(user).takeUnretainedValue()
                receiver.log(unsafe String(cString: text))
            }, Unmanaged.passUnretained(self).toOpaque())
        control(GLenum(GL_DONT_CARE), GLenum(GL_DONT_CARE), GLenum(GL_DONT_CARE), 0, nil, GLboolean(GL_FALSE))
        control(GLenum(GL_DONT_CARE), GLenum(GL_DONT_CARE), GL.debugSeverityHigh, 0, nil, GLboolean(GL_TRUE))
        glEnable(GL.debugOutput)
        glEnable(GL.debugSynchronous)
    }
}
