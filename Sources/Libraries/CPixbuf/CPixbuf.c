#include "CPixbuf.h"
#include "../Loading.h"
#include <stdlib.h>

// Types of GLib and gdk-pixbuf, reduced to the members that this file uses.
typedef struct { uint32_t domain; int code; char *message; } Error;
typedef struct { long seconds, microseconds; } Time;

// The functions to load with `dlsym`: F(result, name, parameters).
// Source: GDK-PixBuf API reference, "PixbufLoader", "Pixbuf", "PixbufAnimation", "PixbufAnimationIter".
#define FUNCTIONS(F) \
    F(void *, gdk_pixbuf_loader_new_with_mime_type, (const char *kind, Error **error)) \
    F(int, gdk_pixbuf_loader_write, (void *loader, const unsigned char *bytes, size_t count, Error **error)) \
    F(int, gdk_pixbuf_loader_close, (void *loader, Error **error)) \
    F(void, gdk_pixbuf_loader_set_size, (void *loader, int width, int height)) \
    F(void *, gdk_pixbuf_loader_get_animation, (void *loader)) \
    F(int, gdk_pixbuf_animation_is_static_image, (void *animation)) \
    F(void *, gdk_pixbuf_animation_get_static_image, (void *animation)) \
    F(void *, gdk_pixbuf_animation_get_iter, (void *animation, const Time *start)) \
    F(int, gdk_pixbuf_animation_iter_get_delay_time, (void *iterator)) \
    F(int, gdk_pixbuf_animation_iter_advance, (void *iterator, const Time *now)) \
    F(void *, gdk_pixbuf_animation_iter_get_pixbuf, (void *iterator)) \
    F(void *, gdk_pixbuf_apply_embedded_orientation, (void *pixbuf)) \
    F(int, gdk_pixbuf_get_width, (const void *pixbuf)) \
    F(int, gdk_pixbuf_get_height, (const void *pixbuf)) \
    F(int, gdk_pixbuf_get_rowstride, (const void *pixbuf)) \
    F(int, gdk_pixbuf_get_n_channels, (const void *pixbuf)) \
    F(const uint8_t *, gdk_pixbuf_read_pixels, (const void *pixbuf)) \
    F(unsigned long, g_signal_connect_data, \
        (void *object, const char *signal, void (*handler)(void), void *data, void *destroy, int flags)) \
    F(void *, g_object_ref, (void *object)) \
    F(void, g_object_unref, (void *object)) \
    F(void, g_error_free, (Error *error))

// No header declares them.
#undef POINTER
#define POINTER(result, name, parameters) result(*name) parameters;

static struct {
    FUNCTIONS(POINTER)
} functions;

// dlsym also finds GLib's functions, in the libraries that gdk-pixbuf depends on.
LOADER(pip_load_pixbuf, OPEN("libgdk_pixbuf-2.0.so.0") FUNCTIONS(FIND))

struct pip_pixbuf {
    void *animation;
    // Null for a still picture.
    void *iterator;
    // The still picture; null for an animation.
    void *still;
    // The current picture's time in the animation.
    Time now;
};

struct limits {
    int64_t side, area;
    int is_exceeded;
};

// Refuses a picture that is too large, before the loader allocates its pixels.
static void check_size(void *loader, int width, int height, void *data)
{
    struct limits *limits = data;
    if (width <= limits->side && height <= limits->side && (int64_t)width * height <= limits->area) return;
    limits->is_exceeded = 1;
    // A size of 0 stops the loader.
    functions.gdk_pixbuf_loader_set_size(loader, 0, 0);
}

// Copies the error's message to `reason`, and frees the error.
static void keep(Error *error, char *reason, size_t capacity)
{
    if (!error) return;
    snprintf(reason, capacity, "%s", error->message);
    functions.g_error_free(error);
}

static pip_pixbuf *first_picture(void *animation)
{
    pip_pixbuf *pixbuf = calloc(1, sizeof *pixbuf);
    if (!pixbuf) return NULL;
    pixbuf->animation = functions.g_object_ref(animation);
    if (functions.gdk_pixbuf_animation_is_static_image(animation)) {
        void *picture = functions.gdk_pixbuf_animation_get_static_image(animation);
        pixbuf->still = picture ? functions.gdk_pixbuf_apply_embedded_orientation(picture) : NULL;
    } else {
        pixbuf->iterator = functions.gdk_pixbuf_animation_get_iter(animation, &pixbuf->now);
    }
    return pixbuf;
}

pip_pixbuf *pip_pixbuf_open(
    const void *bytes, size_t count, const char *kind, int64_t side, int64_t area, enum pip_pixbuf_failure *failure,
    char *reason, size_t capacity)
{
    Error *error = NULL;
    reason[0] = 0;
    *failure = PIP_PIXBUF_NO_LOADER;
    void *loader = functions.gdk_pixbuf_loader_new_with_mime_type(kind, &error);
    if (!loader) {
        keep(error, reason, capacity);
        return NULL;
    }
    struct limits limits = {side, area, 0};
    functions.g_signal_connect_data(loader, "size-prepared", (void (*)(void))check_size, &limits, NULL, 0);
    int is_read = functions.gdk_pixbuf_loader_write(loader, bytes, count, &error);
    // A loader must be closed also after a failed write.
    if (!functions.gdk_pixbuf_loader_close(loader, is_read ? &error : NULL)) is_read = 0;
    void *animation = is_read && !limits.is_exceeded ? functions.gdk_pixbuf_loader_get_animation(loader) : NULL;
    pip_pixbuf *pixbuf = animation ? first_picture(animation) : NULL;
    functions.g_object_unref(loader);
    keep(error, reason, capacity);
    *failure = limits.is_exceeded ? PIP_PIXBUF_TOO_LARGE : PIP_PIXBUF_DAMAGED;
    if (pixbuf && !pip_pixbuf_picture(pixbuf).pixels) {
        pip_pixbuf_close(pixbuf);
        return NULL;
    }
    return pixbuf;
}

void pip_pixbuf_close(pip_pixbuf *pixbuf)
{
    if (pixbuf->still) functions.g_object_unref(pixbuf->still);
    if (pixbuf->iterator) functions.g_object_unref(pixbuf->iterator);
    functions.g_object_unref(pixbuf->animation);
    free(pixbuf);
}

struct pip_pixbuf_picture pip_pixbuf_picture(const pip_pixbuf *pixbuf)
{
    void *picture = pixbuf->iterator ? functions.gdk_pixbuf_animation_iter_get_pixbuf(pixbuf->iterator) : pixbuf->still;
    if (!picture) return (struct pip_pixbuf_picture){0};
    return (struct pip_pixbuf_picture){
        functions.gdk_pixbuf_read_pixels(picture), functions.gdk_pixbuf_get_width(picture),
        functions.gdk_pixbuf_get_height(picture), functions.gdk_pixbuf_get_rowstride(picture),
        functions.gdk_pixbuf_get_n_channels(picture)};
}

void pip_pixbuf_advance(pip_pixbuf *pixbuf)
{
    if (!pixbuf->iterator) return;
    int delay = functions.gdk_pixbuf_animation_iter_get_delay_time(pixbuf->iterator);
    int64_t now = pixbuf->now.seconds * 1000000 + pixbuf->now.microseconds + (delay > 0 ? delay : 1) * 1000;
    pixbuf->now = (Time){now / 1000000, now % 1000000};
    functions.gdk_pixbuf_animation_iter_advance(pixbuf->iterator, &pixbuf->now);
}
