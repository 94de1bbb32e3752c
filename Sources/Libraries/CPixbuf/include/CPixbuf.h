// gdk-pixbuf, which is looked for when it is first wanted: it reads the kinds of pictures that few people have.
//
// Nothing of its headers is needed to build this: its functions are declared in CPixbuf.c, as its documentation has
// them.
#ifndef PIP_PIXBUF_H
#define PIP_PIXBUF_H

#include <stddef.h>
#include <stdint.h>

/// A file's pictures, decoded. Belongs to one thread at a time.
typedef struct pip_pixbuf pip_pixbuf;

/// The pixels of a picture: rows of RGB or RGBA, 8 bits each, alpha straight.
struct pip_pixbuf_picture {
    const uint8_t *pixels;
    int width, height, stride, channels;
};

/// Why nothing was decoded.
enum pip_pixbuf_failure { PIP_PIXBUF_DAMAGED, PIP_PIXBUF_NO_LOADER, PIP_PIXBUF_TOO_LARGE };

/// Loads the library, once in a process. On any thread.
///
/// Returns null when it is there, else why it is not, as the dynamic linker says it.
const char *pip_load_pixbuf(void);

/// Decodes a file of one kind, such as image/gif; only after `pip_load_pixbuf` has returned null.
///
/// A picture with more pixels a side, or more in all, is refused before memory is taken for it, where its loader tells
/// the size first. Returns null when it fails; then `failure` says why, and `reason` as the library does.
pip_pixbuf *pip_pixbuf_open(
    const void *bytes, size_t count, const char *kind, int64_t side, int64_t area, enum pip_pixbuf_failure *failure,
    char *reason, size_t capacity);

void pip_pixbuf_close(pip_pixbuf *pixbuf);

/// The picture that is shown now, turned as its file says; valid until the next call.
struct pip_pixbuf_picture pip_pixbuf_picture(const pip_pixbuf *pixbuf);

/// Goes to an animation's next picture.
void pip_pixbuf_advance(pip_pixbuf *pixbuf);

#endif
