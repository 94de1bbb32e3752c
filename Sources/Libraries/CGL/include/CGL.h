// EGL, OpenGL ES and GBM, which are looked for at run time: a program that draws without them starts where they are
// not installed.
//
// Their functions are defined here, under their own names, and call what `pip_load_library` has found. Before that, or
// where it found nothing, they must not be called.
#ifndef PIP_GL_H
#define PIP_GL_H

// Nothing here talks to X11 or Wayland: native displays and windows are plain pointers.
#define EGL_NO_PLATFORM_SPECIFIC_TYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>
#include <gbm.h>

typedef enum { PipLibraryEGL, PipLibraryGLES, PipLibraryGBM } PipLibrary;

/// Loads a library, once in a process, and finds its functions. On any thread.
///
/// Returns null when it is there, else why it is not, as the dynamic linker says it.
const char *pip_load_library(PipLibrary library);

/// The file name of a library.
const char *pip_library_name(PipLibrary library);

#endif
