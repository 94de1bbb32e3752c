// HarfBuzz and FriBidi, loaded when the first text is drawn: most programs draw no text.
//
// This module defines the libraries' functions under their own names; the definitions call the loaded libraries. They
// must not be called unless `pip_load_shaping` has returned null.
#ifndef PIP_SHAPING_H
#define PIP_SHAPING_H

#include <fribidi/fribidi.h>
#include <harfbuzz/hb-ot.h>
#include <harfbuzz/hb.h>

// Declared as in `hb-ft.h`, without FreeType's headers: `face` is an `FT_Face`.
hb_font_t *hb_ft_font_create_referenced(void *face);
void hb_ft_font_set_load_flags(hb_font_t *font, int load_flags);

/// Loads HarfBuzz, FriBidi and their functions, at the first call in a process. Thread: any.
///
/// Returns null if both libraries are loaded, otherwise the dynamic linker's message.
const char *pip_load_shaping(void);

#endif
