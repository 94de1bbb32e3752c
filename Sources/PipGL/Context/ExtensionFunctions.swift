internal import CGLES

/// Functions that not every driver has, found once.
@safe struct ExtensionFunctions {
    let bufferStorage: PFNGLBUFFERSTORAGEEXTPROC?

    init() {
        unsafe bufferStorage = unsafe EGLLibrary.function("glBufferStorageEXT", as: PFNGLBUFFERSTORAGEEXTPROC.self)
    }
}
