internal import CGL

/// A library of the system that is loaded when OpenGL ES is first needed.
///
/// None of its functions may be called before.
enum SystemLibrary: CaseIterable {
    case egl, gles, gbm

    /// The Debian package of the library.
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

    /// Loads the library, once in a process.
    ///
    /// Thread: any.
    ///
    /// - Throws: ``GLError`` with the library and its package, when it is missing or too old.
    func load() throws(GLError) {
        guard let reason = unsafe pip_load_library(number) else { return }
        throw GLError(
            "load it", subject: unsafe String(cString: pip_library_name(number)), call: "dlopen",
            reason: .text("\(unsafe String(cString: reason)); sudo apt-get install \(package)"))
    }

    /// Loads the libraries that every context needs.
    ///
    /// GBM is needed for render nodes only.
    ///
    /// - Throws: ``GLError`` with the first missing library.
    static func loadOpenGL() throws(GLError) {
        try egl.load()
        try gles.load()
    }
}
