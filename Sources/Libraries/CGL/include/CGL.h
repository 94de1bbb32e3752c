// EGL, OpenGL ES and GBM, loaded at run time: a program that draws without them also starts where they are missing.
//
// This module defines the libraries' functions under their own names; the definitions call the loaded libraries. They
// must not be called unless `pip_load_library` has returned null for their library.
#ifndef PIP_GL_H
#define PIP_GL_H

// Declares native displays and windows as plain pointers: this project uses EGL without X11 and Wayland types.
#define EGL_NO_PLATFORM_SPECIFIC_TYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>
#include <gbm.h>
// The magic numbers of file systems, by which a dma-buf is recognized.
#include <linux/magic.h>
#include <sys/vfs.h>

typedef enum { PipLibraryEGL, PipLibraryGLES, PipLibraryGBM } PipLibrary;

/// Loads a library and its functions, at the first call in a process. Thread: any.
///
/// Returns null if the library is loaded, otherwise the dynamic linker's message.
const char *pip_load_library(PipLibrary library);

/// The file name of a library, such as `libEGL.so.1`.
const char *pip_library_name(PipLibrary library);

#endif
