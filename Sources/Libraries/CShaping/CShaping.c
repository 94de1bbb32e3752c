// FriBidi declares its functions visible, which would contradict the hidden definitions below.
#define FRIBIDI_ENTRY
#include "CShaping.h"
#include "../Loading.h"

// The functions to load with `dlsym`: F(result, name, parameters, arguments).
#define HARFBUZZ_FUNCTIONS(F) \
    F(hb_buffer_t *, hb_buffer_create, (void), ()) \
    F(void, hb_buffer_destroy, (hb_buffer_t *buffer), (buffer)) \
    F(void, hb_buffer_clear_contents, (hb_buffer_t *buffer), (buffer)) \
    F(void, hb_buffer_add_utf32, \
        (hb_buffer_t *buffer, const uint32_t *text, int length, unsigned int offset, int count), \
        (buffer, text, length, offset, count)) \
    F(void, hb_buffer_set_direction, (hb_buffer_t *buffer, hb_direction_t direction), (buffer, direction)) \
    F(void, hb_buffer_set_script, (hb_buffer_t *buffer, hb_script_t script), (buffer, script)) \
    F(void, hb_buffer_set_cluster_level, (hb_buffer_t *buffer, hb_buffer_cluster_level_t level), (buffer, level)) \
    F(hb_glyph_info_t *, hb_buffer_get_glyph_infos, (hb_buffer_t *buffer, unsigned int *count), (buffer, count)) \
    F(hb_glyph_position_t *, hb_buffer_get_glyph_positions, (hb_buffer_t *buffer, unsigned int *count), \
        (buffer, count)) \
    F(void, hb_shape, \
        (hb_font_t *font, hb_buffer_t *buffer, const hb_feature_t *features, unsigned int count), \
        (font, buffer, features, count)) \
    F(void, hb_font_destroy, (hb_font_t *font), (font)) \
    F(void, hb_font_set_scale, (hb_font_t *font, int x_scale, int y_scale), (font, x_scale, y_scale)) \
    F(void, hb_ot_font_set_funcs, (hb_font_t *font), (font)) \
    F(hb_font_t *, hb_ft_font_create_referenced, (void *face), (face)) \
    F(void, hb_ft_font_set_load_flags, (hb_font_t *font, int load_flags), (font, load_flags)) \
    F(hb_unicode_funcs_t *, hb_unicode_funcs_get_default, (void), ()) \
    F(hb_script_t, hb_unicode_script, (hb_unicode_funcs_t *unicode, hb_codepoint_t scalar), (unicode, scalar))
#define FRIBIDI_FUNCTIONS(F) \
    F(void, fribidi_get_bidi_types, \
        (const FriBidiChar *text, const FriBidiStrIndex length, FriBidiCharType *types), (text, length, types)) \
    F(void, fribidi_get_bracket_types, \
        (const FriBidiChar *text, const FriBidiStrIndex length, const FriBidiCharType *types, \
            FriBidiBracketType *brackets), \
        (text, length, types, brackets)) \
    F(FriBidiParType, fribidi_get_par_direction, (const FriBidiCharType *types, const FriBidiStrIndex length), \
        (types, length)) \
    F(FriBidiLevel, fribidi_get_par_embedding_levels_ex, \
        (const FriBidiCharType *types, const FriBidiBracketType *brackets, const FriBidiStrIndex length, \
            FriBidiParType *direction, FriBidiLevel *levels), \
        (types, brackets, length, direction, levels))

static struct {
    HARFBUZZ_FUNCTIONS(POINTER)
    FRIBIDI_FUNCTIONS(POINTER)
} functions;

HARFBUZZ_FUNCTIONS(FORWARD)
FRIBIDI_FUNCTIONS(FORWARD)

LOADER(
    pip_load_shaping,
    OPEN("libharfbuzz.so.0") HARFBUZZ_FUNCTIONS(FIND) OPEN("libfribidi.so.0") FRIBIDI_FUNCTIONS(FIND))
