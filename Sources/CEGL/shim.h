#pragma once
// Nothing here talks to X11 or Wayland: native displays and windows are plain pointers.
#define EGL_NO_PLATFORM_SPECIFIC_TYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
