internal import CGL

/// The functions of optional extensions, looked up once when a context opens; nil where the driver lacks them.
@safe struct ExtensionFunctions {
    let bufferStorage: PFNGLBUFFERSTORAGEEXTPROC?
    let resetStatus: PFNGLGETGRAPHICSRESETSTATUSKHRPROC?
    let createImage: PFNEGLCREATEIMAGEKHRPROC?
    let destroyImage: PFNEGLDESTROYIMAGEKHRPROC?
    let setTextureImage: PFNGLEGLIMAGETARGETTEXTURE2DOESPROC?

    init() {
        unsafe bufferStorage = unsafe EGLLibrary.function("glBufferStorageEXT", as: PFNGLBUFFERSTORAGEEXTPROC.self)
        // OpenGL ES 3.2 and two extensions have this function, with the same signature.
        resetStatus =
            ["glGetGraphicsResetStatus", "glGetGraphicsResetStatusKHR", "glGetGraphicsResetStatusEXT"].lazy
            .compactMap { unsafe EGLLibrary.function($0, as: PFNGLGETGRAPHICSRESETSTATUSKHRPROC.self) }.first
        unsafe createImage = unsafe EGLLibrary.function("eglCreateImageKHR", as: PFNEGLCREATEIMAGEKHRPROC.self)
        unsafe destroyImage = unsafe EGLLibrary.function("eglDestroyImageKHR", as: PFNEGLDESTROYIMAGEKHRPROC.self)
        unsafe setTextureImage = unsafe EGLLibrary.function(
            "glEGLImageTargetTexture2DOES", as: PFNGLEGLIMAGETARGETTEXTURE2DOESPROC.self)
    }
}
