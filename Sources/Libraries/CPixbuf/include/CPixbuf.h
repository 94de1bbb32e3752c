// gdk-pixbuf, loaded when a picture is in one of its formats: few pictures are.
//
// Building this module needs no headers of gdk-pixbuf: CPixbuf.c declares the functions as documented.
#ifndef PIP_PIXBUF_H
#define PIP_PIXBUF_H

#include <stddef.h>
#include <stdint.h>

/// A file's decoded pictures.
///
/// Thread: one at a time.
typedef struct pip_pixbuf pip_pixbuf;

/// A picture's pixels: rows of RGB or RGBA with 8 bits a component and straight alpha.
struct pip_pixbuf_picture {
    const uint8_t *pixels;
    int width, height, stride, channels;
};

/// The reason for a failed decoding.
enum pip_pixbuf_failure { PIP_PIXBUF_DAMAGED, PIP_PIXBUF_NO_LOADER, PIP_PIXBUF_TOO_LARGE };

/// Loads gdk-pixbuf and its functions, at the first call in a process. Thread: any.
///
/// Returns null if gdk-pixbuf is loaded, otherwise the dynamic linker's message.
const char *pip_load_pixbuf(void);

/// Decodes a file of the MIME type `kind`, such as image/gif. Call this only after `pip_load_pixbuf` has returned null.
///
/// Refuses a picture wider or taller than `side`, or of more than `area` pixels, when the loader reports the size. The
/// refusal comes before the pixels are allocated, if the loader reports the size first. A size that the loader never
/// reports is not checked.
///
/// Returns null on failure. Then `failure` is the reason, and `reason` the library's message.
pip_pixbuf *pip_pixbuf_open(
    const void *bytes, size_t count, const char *kind, int64_t side, int64_t area, enum pip_pixbuf_failure *failure,
    char *reason, size_t capacity);

void pip_pixbuf_close(pip_pixbuf *pixbuf);

/// The current picture, rotated as its file demands. The pixels are valid until the next call with `pixbuf`.
struct pip_pixbuf_picture pip_pixbuf_picture(const pip_pixbuf *pixbuf);

/// Advances to an animation's next picture; has no effect on a still picture.
void pip_pixbuf_advance(pip_pixbuf *pixbuf);

#endif
