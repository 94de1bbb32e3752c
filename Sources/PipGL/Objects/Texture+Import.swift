internal import CGL
internal import Glibc
package import PipFrames

/// The layout of a picture's texels in a dma-buf.
package struct ImportedTexels: Hashable {
    /// The size of the picture, in texels.
    package var size: PixelSize
    package var format: TextureFormat
    /// The number of bytes from the start of the dma-buf to the first texel.
    package var offset: Int
    package var strideInBytes: Int

    package init(size: PixelSize, format: TextureFormat, offset: Int, strideInBytes: Int) {
        self.size = size
        self.format = format
        self.offset = offset
        self.strideInBytes = strideInBytes
    }
}

extension Texture {
    /// Imports a dma-buf as a texture: passes read the bytes that the device has written.
    ///
    /// The texture keeps the dma-buf alive; the caller may close the descriptor. The contents are consistent only while
    /// the device does not write.
    ///
    /// Source: EGL_EXT_image_dma_buf_import, GL_OES_EGL_image.
    ///
    /// - Throws: ``GLError`` when the descriptor is not a dma-buf or ends before the texels, when the driver cannot
    ///   import the memory or the texel format, and when no context is open.
    package convenience init(
        importing texels: ImportedTexels, of descriptor: CInt, on gpu: isolated RenderContext
    ) throws(GLError) {
        let operation = "read \(texels.size) texels of \(texels.format) in a device's memory"
        guard let code = texels.format.drmCode else {
            throw GLError(
                operation, call: "eglCreateImageKHR", reason: .text("\(texels.format) has no DRM format code"))
        }
        let context = try gpu.context(to: operation)
        let functions = context.functions
        guard let create = unsafe functions.createImage, let destroy = unsafe functions.destroyImage,
            let attach = unsafe functions.setTextureImage
        else {
            throw GLError(
                operation, call: "eglGetProcAddress", reason: .text("the driver lacks a function that imports dma-bufs")
            )
        }
        if let reason = texels.mismatch(with: descriptor) {
            throw GLError(operation, call: "eglCreateImageKHR", reason: .text(reason))
        }
        let attributes: [EGLint] = [
            EGL_WIDTH, EGLint(texels.size.width), EGL_HEIGHT, EGLint(texels.size.height),
            EGL_LINUX_DRM_FOURCC_EXT, EGLint(bitPattern: code.rawValue),
            EGL_DMA_BUF_PLANE0_FD_EXT, descriptor, EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGLint(texels.offset),
            EGL_DMA_BUF_PLANE0_PITCH_EXT, EGLint(texels.strideInBytes), EGL_NONE,
        ]
        let display = unsafe eglGetCurrentDisplay()
        guard let image = unsafe create(display, nil, EGLenum(EGL_LINUX_DMA_BUF_EXT), nil, attributes) else {
            throw GLError(operation, call: "eglCreateImageKHR", reason: .newestEGL)
        }
        // The texture keeps the image's memory alive, so the image can be destroyed.
        defer { _ = unsafe destroy(display, image) }
        self.init(withoutMemory: texels.size, format: texels.format, in: context, on: gpu)
        unsafe attach(GL.texture2D, image)
        try gpu.checkError(operation, call: "glEGLImageTargetTexture2DOES")
    }
}

extension ImportedTexels {
    /// The reason why a descriptor does not hold the texels; nil for a dma-buf that holds them.
    ///
    /// Not every driver checks the descriptor: Mesa 25's software renderer imports any file, and crashes when it reads
    /// texels.
    fileprivate func mismatch(with descriptor: CInt) -> String? {
        var system = statfs()
        // Linux before 5.3 has dma-bufs among its anonymous files.
        guard unsafe fstatfs(descriptor, &system) == 0,
            [DMA_BUF_MAGIC, ANON_INODE_FS_MAGIC].contains(Int32(truncatingIfNeeded: system.f_type))
        else {
            return "the descriptor is not a dma-buf"
        }
        let end = offset + (size.height - 1) * strideInBytes + size.width * format.bytesPerTexel
        let length = Int(lseek(descriptor, 0, SEEK_END))
        return offset >= 0 && length >= end
            ? nil : "the dma-buf has \(length) bytes, but the texels lie at bytes \(offset) to \(end)"
    }
}

extension TextureFormat {
    /// The DRM format code of this texel format; nil where there is none.
    ///
    /// Source: `drm_fourcc.h`, whose names count from the highest byte down.
    fileprivate var drmCode: FourCC? {
        switch self {
        case .r8: FourCC("R8")
        case .rg8: FourCC("GR88")
        case .rgb8: FourCC("BG24")
        case .rgba8: FourCC("AB24")
        case .r32f, .rg32f, .rgba16f, .rgba32f: nil
        }
    }
}
