// What the shims of libraries share that are loaded at run time.
//
// A shim lists the functions to load as FUNCTIONS(F), with F(result, name, parameters, arguments) for each, keeps their
// addresses in the structure `functions`, and defines its loader:
//
//     static struct { FUNCTIONS(POINTER) } functions;
//     FUNCTIONS(FORWARD)
//     LOADER(pip_load_curl, OPEN("libcurl.so.4") FUNCTIONS(FIND))
#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// A member for the address of a function that a header declares.
#define POINTER(result, name, parameters, arguments) __typeof__(&name) name;

// Defines a function, which calls the loaded one. The definitions are hidden, so that other libraries of the process do
// not bind to them.
#define FORWARD(result, name, parameters, arguments) \
    __attribute__((visibility("hidden"))) result name parameters { return functions.name arguments; }

// The steps of a loader: loads a library, which is never unloaded, and finds a function in it.
#define OPEN(file) \
    if (!(handle = dlopen(file, RTLD_NOW | RTLD_LOCAL))) goto failed;
#define FIND(result, name, ...) \
    if (!(functions.name = (void *)dlsym(handle, #name))) goto failed;

// Defines a function that takes the steps at the first call in a process, and returns null, or the dynamic linker's
// message if a step has failed.
#define LOADER(name, steps) \
    static char reason[256]; \
    static void load(void) \
    { \
        void *handle; \
        steps \
        return; \
    failed: \
        snprintf(reason, sizeof reason, "%s", dlerror()); \
    } \
    const char *name(void) \
    { \
        static pthread_once_t once = PTHREAD_ONCE_INIT; \
        pthread_once(&once, load); \
        return reason[0] ? reason : NULL; \
    }
