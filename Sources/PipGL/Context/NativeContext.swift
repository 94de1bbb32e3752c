internal import CGL
internal import Glibc

/// An OpenGL ES context and its display; the context is current on the thread that made it.
///
/// Thread: the caller must release the object on the thread that made it.
@safe final class NativeContext {
    let display: EGLDisplay
    let platform: Capabilities.Platform
    /// The names of the display's EGL extensions.
    let displayExtensions: Set<String>
    private var connection: DisplayConnection?
    private var context: EGLContext?
    private var surface: EGLSurface?
    private let debugLog: DebugLog?
    private let thread = pthread_self()

    /// Makes a context of OpenGL ES 3.1 or newer, current on the calling thread.
    ///
    /// - Parameters:
    ///   - connection: The display; the context keeps it open.
    ///   - log: Receives the driver's messages of high severity.
    /// - Throws: ``GLError`` when the driver cannot make such a context, or cannot make it current.
    init(_ connection: DisplayConnection, log: (@Sendable (String) -> Void)?) throws(GLError) {
        self.connection = connection
        unsafe display = unsafe connection.display
        platform = connection.platform
        displayExtensions = connection.extensions
        debugLog = log.map(DebugLog.init)
        unsafe context = nil
        unsafe surface = nil
        // All properties are set from here on, so `deinit` runs after a failure.
        let isSurfaceless = connection.extensions.contains("EGL_KHR_surfaceless_context")
        let config = try unsafe chooseConfig(isSurfaceless: isSurfaceless)
        unsafe context = try unsafe createContext(config, isVersion15: connection.isVersion15)
        if !isSurfaceless { unsafe surface = try unsafe createSurface(config) }
        guard unsafe eglMakeCurrent(display, surface, surface, context) == EGLBoolean(EGL_TRUE) else {
            throw GLError("use the context", call: "eglMakeCurrent", reason: .newestEGL)
        }
        debugLog?.start()
    }

    deinit {
        guard pthread_equal(thread, pthread_self()) != 0 else {
            // Another thread releases the object only while the process ends; the kernel then frees everything.
            if let connection { _ = unsafe Unmanaged.passRetained(connection) }
            return
        }
        unsafe eglMakeCurrent(display, nil, nil, nil)
        if let surface = unsafe surface { unsafe eglDestroySurface(display, surface) }
        if let context = unsafe context { unsafe eglDestroyContext(display, context) }
        connection = nil
        eglReleaseThread()
    }

    /// Chooses a framebuffer configuration; nil where a context needs none.
    private func chooseConfig(isSurfaceless: Bool) throws(GLError) -> EGLConfig? {
        let needsNone = ["EGL_KHR_no_config_context", "EGL_MESA_configless_context"].contains(
            where: displayExtensions.contains)
        if isSurfaceless, needsNone { return nil }
        let attributes: [EGLint] = [
            EGL_SURFACE_TYPE, isSurfaceless ? 0 : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
            EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_NONE,
        ]
        var config: EGLConfig?
        var count: EGLint = 0
        guard unsafe eglChooseConfig(display, attributes, &config, 1, &count) == EGLBoolean(EGL_TRUE), count > 0 else {
            throw GLError("find a configuration for OpenGL ES 3", call: "eglChooseConfig", reason: .newestEGL)
        }
        return unsafe config
    }

    private func createContext(_ config: EGLConfig?, isVersion15: Bool) throws(GLError) -> EGLContext {
        guard eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) == EGLBoolean(EGL_TRUE) else {
            throw GLError("use OpenGL ES", call: "eglBindAPI", reason: .newestEGL)
        }
        let version = [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1]
        var extras: [EGLint] = []
        if displayExtensions.contains("EGL_EXT_create_context_robustness") {
            extras += [EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET_EXT]
        }
        if debugLog != nil, isVersion15 { extras += [EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE] }
        // Some drivers list the optional attributes but reject them together.
        for attributes in [version + extras, version] {
            if let context = unsafe eglCreateContext(display, config, nil, attributes + [EGL_NONE]) {
                return unsafe context
            }
        }
        throw GLError("make a context of OpenGL ES 3.1", call: "eglCreateContext", reason: .newestEGL)
    }

    /// Makes a surface of one pixel, for drivers that require a surface.
    ///
    /// Nothing is drawn into the surface.
    private func createSurface(_ config: EGLConfig?) throws(GLError) -> EGLSurface {
        let attributes = [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE]
        guard let surface = unsafe eglCreatePbufferSurface(display, config, attributes) else {
            throw GLError("make a surface of one pixel", call: "eglCreatePbufferSurface", reason: .newestEGL)
        }
        return unsafe surface
    }
}
