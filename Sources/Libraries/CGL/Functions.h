// The functions to load with `dlsym`: F(result, name, parameters, arguments).
//
// A definition that differs from its header's prototype does not compile.

// Functions of libEGL.so.1, EGL 1.5.
#define PIP_EGL_FUNCTIONS(F) \
    F(EGLBoolean, eglBindAPI, (EGLenum api), (api)) \
    F(EGLBoolean, eglChooseConfig, (EGLDisplay dpy, const EGLint *attrib_list, EGLConfig *configs, \
        EGLint config_size, EGLint *num_config), (dpy, attrib_list, configs, config_size, num_config)) \
    F(EGLContext, eglCreateContext, (EGLDisplay dpy, EGLConfig config, EGLContext share_context, \
        const EGLint *attrib_list), (dpy, config, share_context, attrib_list)) \
    F(EGLSurface, eglCreatePbufferSurface, (EGLDisplay dpy, EGLConfig config, const EGLint *attrib_list), (dpy, \
        config, attrib_list)) \
    F(EGLBoolean, eglDestroyContext, (EGLDisplay dpy, EGLContext ctx), (dpy, ctx)) \
    F(EGLBoolean, eglDestroySurface, (EGLDisplay dpy, EGLSurface surface), (dpy, surface)) \
    F(EGLDisplay, eglGetCurrentDisplay, (void), ()) \
    F(EGLDisplay, eglGetDisplay, (EGLNativeDisplayType display_id), (display_id)) \
    F(EGLint, eglGetError, (void), ()) \
    F(EGLDisplay, eglGetPlatformDisplay, (EGLenum platform, void *native_display, const EGLAttrib *attrib_list), \
        (platform, native_display, attrib_list)) \
    F(__eglMustCastToProperFunctionPointerType, eglGetProcAddress, (const char *procname), (procname)) \
    F(EGLBoolean, eglInitialize, (EGLDisplay dpy, EGLint *major, EGLint *minor), (dpy, major, minor)) \
    F(EGLBoolean, eglMakeCurrent, (EGLDisplay dpy, EGLSurface draw, EGLSurface read, EGLContext ctx), (dpy, \
        draw, read, ctx)) \
    F(const char *, eglQueryString, (EGLDisplay dpy, EGLint name), (dpy, name)) \
    F(EGLBoolean, eglReleaseThread, (void), ()) \
    F(EGLBoolean, eglTerminate, (EGLDisplay dpy), (dpy))

// Functions of libGLESv2.so.2, OpenGL ES 3.1.
#define PIP_GLES_FUNCTIONS(F) \
    F(void, glActiveTexture, (GLenum texture), (texture)) \
    F(void, glAttachShader, (GLuint program, GLuint shader), (program, shader)) \
    F(void, glBindBuffer, (GLenum target, GLuint buffer), (target, buffer)) \
    F(void, glBindFramebuffer, (GLenum target, GLuint framebuffer), (target, framebuffer)) \
    F(void, glBindImageTexture, (GLuint unit, GLuint texture, GLint level, GLboolean layered, GLint layer, \
        GLenum access, GLenum format), (unit, texture, level, layered, layer, access, format)) \
    F(void, glBindTexture, (GLenum target, GLuint texture), (target, texture)) \
    F(void, glBlendFunc, (GLenum sfactor, GLenum dfactor), (sfactor, dfactor)) \
    F(void, glBlitFramebuffer, (GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0, \
        GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter), (srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, \
        dstX1, dstY1, mask, filter)) \
    F(void, glBufferData, (GLenum target, GLsizeiptr size, const void *data, GLenum usage), (target, size, data, \
        usage)) \
    F(GLenum, glCheckFramebufferStatus, (GLenum target), (target)) \
    F(void, glClear, (GLbitfield mask), (mask)) \
    F(void, glClearColor, (GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha), (red, green, blue, alpha)) \
    F(GLenum, glClientWaitSync, (GLsync sync, GLbitfield flags, GLuint64 timeout), (sync, flags, timeout)) \
    F(void, glColorMask, (GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha), (red, green, blue, \
        alpha)) \
    F(void, glCompileShader, (GLuint shader), (shader)) \
    F(GLuint, glCreateProgram, (void), ()) \
    F(GLuint, glCreateShader, (GLenum type), (type)) \
    F(void, glDeleteBuffers, (GLsizei n, const GLuint *buffers), (n, buffers)) \
    F(void, glDeleteFramebuffers, (GLsizei n, const GLuint *framebuffers), (n, framebuffers)) \
    F(void, glDeleteProgram, (GLuint program), (program)) \
    F(void, glDeleteShader, (GLuint shader), (shader)) \
    F(void, glDeleteSync, (GLsync sync), (sync)) \
    F(void, glDeleteTextures, (GLsizei n, const GLuint *textures), (n, textures)) \
    F(void, glDetachShader, (GLuint program, GLuint shader), (program, shader)) \
    F(void, glDisable, (GLenum cap), (cap)) \
    F(void, glDispatchCompute, (GLuint num_groups_x, GLuint num_groups_y, GLuint num_groups_z), (num_groups_x, \
        num_groups_y, num_groups_z)) \
    F(void, glDrawArraysInstanced, (GLenum mode, GLint first, GLsizei count, GLsizei instancecount), (mode, \
        first, count, instancecount)) \
    F(void, glDrawBuffers, (GLsizei n, const GLenum *bufs), (n, bufs)) \
    F(void, glEnable, (GLenum cap), (cap)) \
    F(GLsync, glFenceSync, (GLenum condition, GLbitfield flags), (condition, flags)) \
    F(void, glFinish, (void), ()) \
    F(void, glFlush, (void), ()) \
    F(void, glFramebufferTexture2D, (GLenum target, GLenum attachment, GLenum textarget, GLuint texture, \
        GLint level), (target, attachment, textarget, texture, level)) \
    F(void, glGenBuffers, (GLsizei n, GLuint *buffers), (n, buffers)) \
    F(void, glGenFramebuffers, (GLsizei n, GLuint *framebuffers), (n, framebuffers)) \
    F(void, glGenTextures, (GLsizei n, GLuint *textures), (n, textures)) \
    F(void, glGetActiveUniform, (GLuint program, GLuint index, GLsizei bufSize, GLsizei *length, GLint *size, \
        GLenum *type, GLchar *name), (program, index, bufSize, length, size, type, name)) \
    F(GLenum, glGetError, (void), ()) \
    F(void, glGetIntegerv, (GLenum pname, GLint *data), (pname, data)) \
    F(void, glGetProgramBinary, (GLuint program, GLsizei bufSize, GLsizei *length, GLenum *binaryFormat, \
        void *binary), (program, bufSize, length, binaryFormat, binary)) \
    F(void, glGetProgramInfoLog, (GLuint program, GLsizei bufSize, GLsizei *length, GLchar *infoLog), (program, \
        bufSize, length, infoLog)) \
    F(void, glGetProgramiv, (GLuint program, GLenum pname, GLint *params), (program, pname, params)) \
    F(void, glGetShaderInfoLog, (GLuint shader, GLsizei bufSize, GLsizei *length, GLchar *infoLog), (shader, \
        bufSize, length, infoLog)) \
    F(void, glGetShaderiv, (GLuint shader, GLenum pname, GLint *params), (shader, pname, params)) \
    F(const GLubyte *, glGetString, (GLenum name), (name)) \
    F(const GLubyte *, glGetStringi, (GLenum name, GLuint index), (name, index)) \
    F(GLint, glGetUniformLocation, (GLuint program, const GLchar *name), (program, name)) \
    F(void, glLinkProgram, (GLuint program), (program)) \
    F(void *, glMapBufferRange, (GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access), (target, \
        offset, length, access)) \
    F(void, glMemoryBarrier, (GLbitfield barriers), (barriers)) \
    F(void, glPixelStorei, (GLenum pname, GLint param), (pname, param)) \
    F(void, glProgramBinary, (GLuint program, GLenum binaryFormat, const void *binary, GLsizei length), \
        (program, binaryFormat, binary, length)) \
    F(void, glProgramParameteri, (GLuint program, GLenum pname, GLint value), (program, pname, value)) \
    F(void, glProgramUniform1f, (GLuint program, GLint location, GLfloat v0), (program, location, v0)) \
    F(void, glProgramUniform1fv, (GLuint program, GLint location, GLsizei count, const GLfloat *value), \
        (program, location, count, value)) \
    F(void, glProgramUniform1i, (GLuint program, GLint location, GLint v0), (program, location, v0)) \
    F(void, glProgramUniform2f, (GLuint program, GLint location, GLfloat v0, GLfloat v1), (program, location, \
        v0, v1)) \
    F(void, glProgramUniform2fv, (GLuint program, GLint location, GLsizei count, const GLfloat *value), \
        (program, location, count, value)) \
    F(void, glProgramUniform2i, (GLuint program, GLint location, GLint v0, GLint v1), (program, location, v0, \
        v1)) \
    F(void, glProgramUniform3f, (GLuint program, GLint location, GLfloat v0, GLfloat v1, GLfloat v2), (program, \
        location, v0, v1, v2)) \
    F(void, glProgramUniform3fv, (GLuint program, GLint location, GLsizei count, const GLfloat *value), \
        (program, location, count, value)) \
    F(void, glProgramUniform4f, (GLuint program, GLint location, GLfloat v0, GLfloat v1, GLfloat v2, \
        GLfloat v3), (program, location, v0, v1, v2, v3)) \
    F(void, glProgramUniform4fv, (GLuint program, GLint location, GLsizei count, const GLfloat *value), \
        (program, location, count, value)) \
    F(void, glProgramUniform4i, (GLuint program, GLint location, GLint v0, GLint v1, GLint v2, GLint v3), \
        (program, location, v0, v1, v2, v3)) \
    F(void, glProgramUniformMatrix2fv, (GLuint program, GLint location, GLsizei count, GLboolean transpose, \
        const GLfloat *value), (program, location, count, transpose, value)) \
    F(void, glProgramUniformMatrix3fv, (GLuint program, GLint location, GLsizei count, GLboolean transpose, \
        const GLfloat *value), (program, location, count, transpose, value)) \
    F(void, glProgramUniformMatrix4fv, (GLuint program, GLint location, GLsizei count, GLboolean transpose, \
        const GLfloat *value), (program, location, count, transpose, value)) \
    F(void, glProgramUniformMatrix4x3fv, (GLuint program, GLint location, GLsizei count, GLboolean transpose, \
        const GLfloat *value), (program, location, count, transpose, value)) \
    F(void, glReadBuffer, (GLenum src), (src)) \
    F(void, glReadPixels, (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, \
        void *pixels), (x, y, width, height, format, type, pixels)) \
    F(void, glShaderSource, (GLuint shader, GLsizei count, const GLchar *const*string, const GLint *length), \
        (shader, count, string, length)) \
    F(void, glTexParameteri, (GLenum target, GLenum pname, GLint param), (target, pname, param)) \
    F(void, glTexStorage2D, (GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, \
        GLsizei height), (target, levels, internalformat, width, height)) \
    F(void, glTexSubImage2D, (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width, \
        GLsizei height, GLenum format, GLenum type, const void *pixels), (target, level, xoffset, yoffset, \
        width, height, format, type, pixels)) \
    F(void, glUniform2f, (GLint location, GLfloat v0, GLfloat v1), (location, v0, v1)) \
    F(void, glUniform4iv, (GLint location, GLsizei count, const GLint *value), (location, count, value)) \
    F(GLboolean, glUnmapBuffer, (GLenum target), (target)) \
    F(void, glUseProgram, (GLuint program), (program)) \
    F(void, glViewport, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height))

// Functions of libgbm.so.1.
#define PIP_GBM_FUNCTIONS(F) \
    F(struct gbm_device *, gbm_create_device, (int fd), (fd)) \
    F(void, gbm_device_destroy, (struct gbm_device *gbm), (gbm))
