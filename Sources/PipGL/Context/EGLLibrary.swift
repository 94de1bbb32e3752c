internal import CGL

/// Calls of the EGL library that need no display or serve any display.
enum EGLLibrary {
    /// Looks up a function of an EGL extension; nil when the library lacks the function.
    ///
    /// The caller must give the C type of the function as `type`, such as `PFNEGLQUERYDEVICESEXTPROC`.
    @unsafe static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        guard let address = unsafe eglGetProcAddress(name) else { return nil }
        return unsafe unsafeBitCast(address, to: type)
    }

    /// The names of the library's client extensions; empty where EGL cannot be loaded.
    static var clientExtensions: Set<String> {
        guard (try? SystemLibrary.egl.load()) != nil else { return [] }
        return unsafe extensions(of: nil)
    }

    /// The names of an initialized display's extensions, or of the library's client extensions when `display` is nil.
    static func extensions(of display: EGLDisplay?) -> Set<String> {
        guard let text = unsafe eglQueryString(display, EGL_EXTENSIONS) else { return [] }
        return words(unsafe String(cString: text))
    }

    /// The names of a device's extensions; empty where EGL cannot report them.
    static func extensions(ofDevice device: EGLDeviceEXT) -> Set<String> {
        guard let query = unsafe function("eglQueryDeviceStringEXT", as: PFNEGLQUERYDEVICESTRINGEXTPROC.self),
            let text = unsafe query(device, EGL_EXTENSIONS)
        else { return [] }
        return words(unsafe String(cString: text))
    }

    /// All devices that EGL lists, hardware first.
    static func devices() -> [EGLDeviceEXT] {
        guard let query = unsafe function("eglQueryDevicesEXT", as: PFNEGLQUERYDEVICESEXTPROC.self) else {
            return unsafe []
        }
        var count: EGLint = 0
        guard unsafe query(0, nil, &count) == EGLBoolean(EGL_TRUE), count > 0 else { return unsafe [] }
        var devices = unsafe [EGLDeviceEXT?](repeating: nil, count: Int(count))
        guard unsafe query(count, &devices, &count) == EGLBoolean(EGL_TRUE) else { return unsafe [] }
        let found = unsafe devices.prefix(Int(count)).compactMap { unsafe $0 }
        return unsafe found.filter { unsafe !isSoftware($0) } + found.filter { unsafe isSoftware($0) }
    }

    /// True for a device that EGL marks as a software renderer (`EGL_MESA_device_software`).
    static func isSoftware(_ device: EGLDeviceEXT) -> Bool {
        unsafe extensions(ofDevice: device).contains("EGL_MESA_device_software")
    }

    /// The device behind an initialized display; nil when the library does not report one.
    static func device(of display: EGLDisplay) -> EGLDeviceEXT? {
        guard let query = unsafe function("eglQueryDisplayAttribEXT", as: PFNEGLQUERYDISPLAYATTRIBEXTPROC.self)
        else { return nil }
        var value: EGLAttrib = 0
        guard unsafe query(display, EGL_DEVICE_EXT, &value) == EGLBoolean(EGL_TRUE) else { return nil }
        return unsafe EGLDeviceEXT(bitPattern: value)
    }

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}
