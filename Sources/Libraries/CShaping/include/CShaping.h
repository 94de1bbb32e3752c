// HarfBuzz and FriBidi, which are looked for when the first text is drawn: most programs draw none.
//
// Their functions are defined here, under their own names, and call what `pip_load_shaping` has found. Before that, or
// where it found nothing, they must not be called.
#ifndef PIP_SHAPING_H
#define PIP_SHAPING_H

#include <fribidi/fribidi.h>
#include <harfbuzz/hb-ot.h>
#include <harfbuzz/hb.h>

// As `hb-ft.h` has them, without FreeType's headers: a face is an `FT_Face`.
hb_font_t *hb_ft_font_create_referenced(void *face);
void hb_ft_font_set_load_flags(hb_font_t *font, int load_flags);

/// Loads both libraries, once in a process, and finds their functions. On any thread.
///
/// Returns null when they are there, else why not, as the dynamic linker says it.
const char *pip_load_shaping(void);

#endif
