internal import CGL

/// Functions that only some drivers have, looked up once.
@safe struct ExtensionFunctions {
    let bufferStorage: PFNGLBUFFERSTORAGEEXTPROC?
    let resetStatus: PFNGLGETGRAPHICSRESETSTATUSKHRPROC?
    let createImage: PFNEGLCREATEIMAGEKHRPROC?
    let destroyImage: PFNEGLDESTROYIMAGEKHRPROC?
    let setTextureImage: PFNGLEGLIMAGETARGETTEXTURE2DOESPROC?

    init() {
        unsafe bufferStorage = unsafe EGLLibrary.function("glBufferStorageEXT", as: PFNGLBUFFERSTORAGEEXTPROC.self)
        // This function is in OpenGL ES 3.2 and in two extensions, with one signature.
        resetStatus =
            ["glGetGraphicsResetStatus", "glGetGraphicsResetStatusKHR", "glGetGraphicsResetStatusEXT"].lazy
            .compactMap { unsafe EGLLibrary.function($0, as: PFNGLGETGRAPHICSRESETSTATUSKHRPROC.self) }.first
        unsafe createImage = unsafe EGLLibrary.function("eglCreateImageKHR", as: PFNEGLCREATEIMAGEKHRPROC.self)
        unsafe destroyImage = unsafe EGLLibrary.function("eglDestroyImageKHR", as: PFNEGLDESTROYIMAGEKHRPROC.self)
        unsafe setTextureImage = unsafe EGLLibrary.function(
            "glEGLImageTargetTexture2DOES", as: PFNGLEGLIMAGETARGETTEXTURE2DOESPROC.self)
    }
}
