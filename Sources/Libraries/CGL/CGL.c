#define _GNU_SOURCE
#include "CGL.h"
#include "Functions.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define POINTER(result, name, parameters, arguments) __typeof__(&name) name;
// The definitions are hidden, so that other libraries of the process do not bind to them.
#define FORWARD(result, name, parameters, arguments) \
    __attribute__((visibility("hidden"))) result name parameters { return functions.name arguments; }
#define FIND(result, name, parameters, arguments) \
    if (!(functions.name = (__typeof__(&name))dlsym(handle, #name))) { \
        snprintf(reasons[index], sizeof reasons[index], "%s", dlerror()); \
        return; \
    }

static struct {
    PIP_EGL_FUNCTIONS(POINTER)
    PIP_GLES_FUNCTIONS(POINTER)
    PIP_GBM_FUNCTIONS(POINTER)
} functions;

PIP_EGL_FUNCTIONS(FORWARD)
PIP_GLES_FUNCTIONS(FORWARD)
PIP_GBM_FUNCTIONS(FORWARD)

static const char *const names[] = {"libEGL.so.1", "libGLESv2.so.2", "libgbm.so.1"};
// The reason why each library could not be loaded; empty for a loaded library.
static char reasons[3][256];

// Loads a library, and never unloads it: GL drivers have threads and exit handlers.
static void *open_library(PipLibrary index)
{
    void *handle = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        snprintf(reasons[index], sizeof reasons[index], "%s", dlerror());
    return handle;
}

#define LOADER(library, FUNCTIONS) \
    static void load_##library(void) \
    { \
        const PipLibrary index = library; \
        void *handle = open_library(index); \
        if (handle) { \
            FUNCTIONS(FIND) \
        } \
    }

LOADER(PipLibraryEGL, PIP_EGL_FUNCTIONS)
LOADER(PipLibraryGLES, PIP_GLES_FUNCTIONS)
LOADER(PipLibraryGBM, PIP_GBM_FUNCTIONS)

const char *pip_load_library(PipLibrary library)
{
    static pthread_once_t once[3] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
    static void (*const loaders[])(void) = {load_PipLibraryEGL, load_PipLibraryGLES, load_PipLibraryGBM};
    pthread_once(&once[library], loaders[library]);
    return reasons[library][0] ? reasons[library] : NULL;
}

const char *pip_library_name(PipLibrary library) { return names[library]; }
