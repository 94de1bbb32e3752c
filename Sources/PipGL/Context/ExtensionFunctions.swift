internal import CGLES

/// Functions that not every driver has, found once.
@safe struct ExtensionFunctions {
    let bufferStorage: PFNGLBUFFERSTORAGEEXTPROC?
    let resetStatus: PFNGLGETGRAPHICSRESETSTATUSKHRPROC?

    init() {
        unsafe bufferStorage = unsafe EGLLibrary.function("glBufferStorageEXT", as: PFNGLBUFFERSTORAGEEXTPROC.self)
        // In the core of OpenGL ES 3.2 and in two extensions, with one signature.
        resetStatus =
            ["glGetGraphicsResetStatus", "glGetGraphicsResetStatusKHR", "glGetGraphicsResetStatusEXT"].lazy
            .compactMap { unsafe EGLLibrary.function($0, as: PFNGLGETGRAPHICSRESETSTATUSKHRPROC.self) }.first
    }
}
