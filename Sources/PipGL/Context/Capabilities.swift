internal import CGL

/// The capabilities of the GPU and its driver, queried once when the context is made.
///
/// Read the capabilities to see which GPU draws.
public struct Capabilities: Sendable, Equatable {
    /// The kind of EGL display.
    public enum Platform: Sendable, Equatable, CustomStringConvertible {
        /// A GPU's render node, such as `/dev/dri/renderD128`.
        case gbm(path: String)
        /// A device that EGL lists (`EGL_EXT_device_enumeration`).
        case device
        /// Mesa's surfaceless platform, which needs no device file.
        case surfaceless
        /// The EGL library's default display.
        case defaultDisplay

        public var description: String {
            switch self {
            case .gbm(let path): "gbm on \(path)"
            case .device: "device"
            case .surfaceless: "surfaceless"
            case .defaultDisplay: "default display"
            }
        }
    }

    /// The kind of the EGL display that the context uses.
    public let platform: Platform
    /// The name of the driver's vendor (`GL_VENDOR`).
    public let vendor: String
    /// The name of the GPU or the software renderer (`GL_RENDERER`).
    public let renderer: String
    /// The driver's version (`GL_VERSION`), such as `OpenGL ES 3.2 Mesa 22.3.6`.
    public let version: String
    /// The major version of OpenGL ES; the version is at least 3.1.
    package let majorVersion: Int
    /// The minor version of OpenGL ES.
    package let minorVersion: Int
    /// True when a software renderer draws on the CPU.
    public let isSoftware: Bool

    /// The largest width and height of a texture, in texels.
    public let maxTextureSize: Int
    /// The largest width that one draw can cover, in texels.
    package let maxViewportWidth: Int
    /// The largest height that one draw can cover, in texels.
    package let maxViewportHeight: Int
    /// The number of textures that one fragment shader can read.
    package let maxTextureUnits: Int
    /// The number of textures that one draw can write.
    package let maxDrawBuffers: Int

    /// True when passes can draw into `r32f`, `rg32f`, `rgba16f` and `rgba32f` textures.
    package let hasFloatTargets: Bool
    /// True when passes can draw into `rgba16f` textures.
    package let hasHalfFloatTargets: Bool
    /// True when a fragment shader can output a second colour for blending (`EXT_blend_func_extended`).
    package let hasDualSourceBlending: Bool
    /// True when buffers can stay mapped while the GPU writes to them (`EXT_buffer_storage`).
    package let hasPersistentMapping: Bool
    /// True when the GPU can measure its own time (timer queries).
    package let hasTimerQueries: Bool
    /// True when linked programs can be saved to disk and loaded again.
    package let hasProgramBinaries: Bool
    /// True when dma-bufs, such as camera buffers, can be imported as textures without a copy.
    public let hasDMABufImport: Bool
    /// True when fences can be exported as file descriptors, for other devices.
    package let hasNativeFences: Bool

    /// True when drawing takes the CPU's time.
    package var shadesOnCPU: Bool { isSoftware }
    /// True when passes read imported buffers in place.
    ///
    /// A software renderer maps the buffers anew for each pass.
    package var readsImportsInPlace: Bool { !isSoftware }

    private let extensions: Set<String>

    /// The driver's vendor, renderer and version, for the keys of caches.
    package var driver: String { "\(vendor)\n\(renderer)\n\(version)" }

    /// Queries the capabilities of the current context.
    init(of context: NativeContext) {
        let names = Self.currentExtensions()
        let display = context.displayExtensions
        platform = context.platform
        vendor = Self.string(GL.vendor)
        renderer = Self.string(GL.renderer)
        version = Self.string(GL.version)
        majorVersion = Self.integer(GL_MAJOR_VERSION)
        minorVersion = Self.integer(GL_MINOR_VERSION)
        isSoftware = unsafe Self.isSoftware(context.display, renderer: renderer)
        maxTextureSize = Self.integer(GL_MAX_TEXTURE_SIZE)
        (maxViewportWidth, maxViewportHeight) = Self.integers(GL_MAX_VIEWPORT_DIMS)
        maxTextureUnits = Self.integer(GL_MAX_TEXTURE_IMAGE_UNITS)
        maxDrawBuffers = min(Self.integer(GL_MAX_DRAW_BUFFERS), Self.integer(GL_MAX_COLOR_ATTACHMENTS))
        hasFloatTargets = (majorVersion, minorVersion) >= (3, 2) || names.contains("GL_EXT_color_buffer_float")
        hasHalfFloatTargets = hasFloatTargets || names.contains("GL_EXT_color_buffer_half_float")
        hasDualSourceBlending = names.contains("GL_EXT_blend_func_extended")
        hasPersistentMapping = names.contains("GL_EXT_buffer_storage")
        hasTimerQueries = names.contains("GL_EXT_disjoint_timer_query")
        hasProgramBinaries = Self.integer(GL_NUM_PROGRAM_BINARY_FORMATS) > 0
        hasDMABufImport = display.contains("EGL_EXT_image_dma_buf_import") && names.contains("GL_OES_EGL_image")
        hasNativeFences = display.contains("EGL_ANDROID_native_fence_sync")
        extensions = names
    }

    /// True for a software renderer.
    ///
    /// Checks whether EGL marks the device as software, else compares the name with those of known software renderers.
    private static func isSoftware(_ display: EGLDisplay, renderer: String) -> Bool {
        if let device = unsafe EGLLibrary.device(of: display), unsafe EGLLibrary.isSoftware(device) { return true }
        let name = renderer.lowercased()
        return ["llvmpipe", "softpipe", "swrast", "swiftshader", "software"].contains(where: name.contains)
    }

    private static func currentExtensions() -> Set<String> {
        let count = integer(Int32(bitPattern: GL.extensionCount))
        return Set(
            (0..<count).compactMap { index in
                guard let name = unsafe glGetStringi(GL.extensions, GLuint(index)) else { return nil }
                return unsafe String(cString: name)
            })
    }

    private static func string(_ name: GLenum) -> String {
        guard let text = unsafe glGetString(name) else { return "unknown" }
        return unsafe String(cString: text)
    }

    private static func integer(_ name: Int32) -> Int {
        var value: GLint = 0
        unsafe glGetIntegerv(GLenum(name), &value)
        return Int(value)
    }

    private static func integers(_ name: Int32) -> (Int, Int) {
        var values: [GLint] = [0, 0]
        unsafe glGetIntegerv(GLenum(name), &values)
        return (Int(values[0]), Int(values[1]))
    }
}
