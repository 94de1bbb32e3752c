#pragma once
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_GLYPH_H
#include FT_STROKER_H

// A constant with the macros' values: Swift does not import macros with casts.
static const FT_Int32 PIP_FT_LOAD = FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_LIGHT;
