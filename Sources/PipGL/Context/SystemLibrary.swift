internal import CGL

/// A shared library that is loaded when OpenGL ES is first needed.
///
/// Call ``load()`` before any function of the library.
enum SystemLibrary: CaseIterable {
    case egl, gles, gbm

    /// The name of the Debian package that contains the library.
    var package: String {
        switch self {
        case .egl: "libegl1"
        case .gles: "libgles2"
        case .gbm: "libgbm1"
        }
    }

    private var number: PipLibrary {
        switch self {
        case .egl: PipLibraryEGL
        case .gles: PipLibraryGLES
        case .gbm: PipLibraryGBM
        }
    }

    /// Loads the library, at most once in a process.
    ///
    /// Thread: any.
    ///
    /// - Throws: ``GLError`` with the names of the library and its package, when the library is missing or too old.
    func load() throws(GLError) {
        guard let reason = unsafe pip_load_library(number) else { return }
        throw GLError(
            "load the library", subject: unsafe String(cString: pip_library_name(number)), call: "dlopen",
            reason: .text("\(unsafe String(cString: reason)); sudo apt-get install \(package)"))
    }

    /// Loads EGL and OpenGL ES, which every context needs; GBM is needed for render nodes only.
    ///
    /// - Throws: ``GLError`` with the first missing library.
    static func loadOpenGL() throws(GLError) {
        try egl.load()
        try gles.load()
    }
}
