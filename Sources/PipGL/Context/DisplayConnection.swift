internal import CGL

/// An initialized EGL display, with the render node on which the display was opened, if any.
///
/// EGL shares one display for each platform and device in the whole process, and `eglTerminate` ends the display for
/// all users, including unknown libraries. So the display is terminated only when no other code can use it: when it
/// belongs to a render node that this process opened, or when the library counts references
/// (`EGL_KHR_display_reference`).
/// Otherwise, the display stays until the process ends, and all contexts share it, so that nothing accumulates.
@safe final class DisplayConnection {
    let display: EGLDisplay
    let platform: Capabilities.Platform
    /// The names of the display's EGL extensions.
    let extensions: Set<String>
    /// True when EGL's version is 1.5 or newer.
    let isVersion15: Bool
    private let node: RenderNode?
    private let isOurs: Bool

    /// Initializes the display of a platform.
    ///
    /// - Parameters:
    ///   - platform: The kind of display, for ``Capabilities/platform``.
    ///   - eglPlatform: The EGL platform, such as `EGL_PLATFORM_GBM_KHR`.
    ///   - native: The platform's own display: a GBM device, an EGL device or nil.
    ///   - node: The render node that owns `native`; the connection keeps it open.
    /// - Throws: ``GLError`` when there is no such display or its driver does not start.
    convenience init(
        _ platform: Capabilities.Platform, eglPlatform: Int32, native: UnsafeMutableRawPointer?, node: RenderNode? = nil
    ) throws(GLError) {
        let isCounted = EGLLibrary.clientExtensions.contains("EGL_KHR_display_reference")
        let attributes = isCounted ? [EGLAttrib(EGL_TRACK_REFERENCES_KHR), EGLAttrib(EGL_TRUE)] : []
        guard
            let display = unsafe eglGetPlatformDisplay(EGLenum(eglPlatform), native, attributes + [EGLAttrib(EGL_NONE)])
        else { throw GLError("get the display", call: "eglGetPlatformDisplay", reason: .newestEGL) }
        try unsafe self.init(platform, display: display, node: node, isOurs: isCounted || node != nil)
    }

    /// Initializes the EGL library's default display.
    convenience init(default platform: Capabilities.Platform) throws(GLError) {
        guard let display = unsafe eglGetDisplay(nil) else {
            throw GLError("get the display", call: "eglGetDisplay", reason: .newestEGL)
        }
        try unsafe self.init(platform, display: display, node: nil, isOurs: false)
    }

    private init(
        _ platform: Capabilities.Platform, display: EGLDisplay, node: RenderNode?, isOurs: Bool
    )
        throws(GLError)
    {
        var major: EGLint = 0
        var minor: EGLint = 0
        guard unsafe eglInitialize(display, &major, &minor) == EGLBoolean(EGL_TRUE) else {
            throw GLError("start the driver", call: "eglInitialize", reason: .newestEGL)
        }
        unsafe self.display = display
        self.platform = platform
        self.node = node
        self.isOurs = isOurs
        isVersion15 = (major, minor) >= (1, 5)
        extensions = unsafe EGLLibrary.extensions(of: display)
    }

    deinit {
        if isOurs { unsafe eglTerminate(display) }
    }
}
