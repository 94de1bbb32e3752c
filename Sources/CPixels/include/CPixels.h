// Vector code of the CPU: loops over rows of pixels, and the effects' GLSL, for each instruction set.
#ifndef PIP_PIXELS_H
#define PIP_PIXELS_H

#include "CPixelRows.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An instruction set. The results are the same, bit for bit, with every instruction set.
typedef enum { PipScalar, PipSSE2, PipAVX2, PipAVX512, PipNEON } PipInstructionSet;

/// A picture or table that an effect reads.
typedef struct {
    /// Four bytes per texel, or four 32-bit floats if `isFloat` is not 0; colours are premultiplied if there is alpha.
    const void *texels;
    int32_t width, height;
    /// The number of bytes from row to row.
    int32_t stride;
    int32_t isFloat;
} PipTexture;

/// The arguments of an effect's function for a row of pixels.
typedef struct {
    /// Red, green, blue and alpha of the drawn row, and then of the same row of a second and a third picture.
    ///
    /// A neighbourhood function takes the rows above, at and below the drawn row, each with one more pixel at both
    /// ends. Colours are straight (unpremultiplied). The function may read up to the next multiple of 16 pixels.
    const float *rows[12];
    /// The components of the row that receives the result, which may be the drawn row.
    ///
    /// If alpha is NULL, all pixels are opaque, and the drawn row's alpha is not read. A warp function writes x and y.
    float *result[4];
    /// The horizontal centre of the first pixel on the canvas (`pixel`), and the map from a pixel's centre to the
    /// function's position (0 to 1): the centre is multiplied by the step, and `x` or `y` is added.
    float pixel, stepX, stepY, x, y;
    /// The values of the uniforms, one after the other.
    const float *uniforms;
    const PipTexture *tables;
    /// The picture that a function reads at any position. If the picture has alpha, its colours and the function's
    /// results are premultiplied.
    PipTexture picture;
    /// The position of the first pixel in the picture, and the distance from pixel to pixel, in samples.
    float ownX, ownY, ownStepX, ownStepY;
    /// The map from positions to samples of the picture: the factors of x and y and the offset, for x and then for y.
    float sampleMap[6];
    /// The size of a sample, in the units of positions (0 to 1).
    float pixelWidth, pixelHeight;
    /// The number of pixels; the function may write up to the next multiple of 16.
    int32_t count;
} PipEffectRow;

typedef void (*PipEffectFunction)(const PipEffectRow *row);

/// A uniform: its name without the effect's prefix, and the number of its floats.
typedef struct {
    const char *name;
    int32_t count;
} PipUniform;

/// An effect's function.
typedef struct {
    /// The name of its GLSL file.
    const char *name;
    /// The 64-bit FNV-1a hash of its GLSL text.
    uint64_t identity;
    /// The function for opaque rows, and the function for rows with alpha.
    PipEffectFunction functions[2];
    const PipUniform *uniforms;
    int32_t uniformCount;
    const char *const *tables;
    int32_t tableCount;
} PipEffect;

/// The arguments of a shader that computes a table.
typedef struct {
    /// The picture; its colours are premultiplied if `hasAlpha` is not 0.
    PipTexture picture;
    int32_t hasAlpha;
    /// The table that the preceding step made; empty for the first step.
    PipTexture table;
    /// The memory for the table: four 32-bit floats per texel, all 0 before the run.
    PipTexture result;
    int32_t groupsAcross, groupsDown;
    const float *uniforms;
} PipTableRun;

/// A shader that computes a table.
typedef struct {
    const char *name;
    uint64_t identity;
    void (*function)(const PipTableRun *run);
    const PipUniform *uniforms;
    int32_t uniformCount;
} PipTableMaker;

/// Returns the instruction set in use: the one that the environment variable `PIP_COMPOSE_VECTORS` names (`scalar`,
/// `sse2`, `avx2`, `avx512` or `neon`), if the machine supports it, else the best that the machine supports.
PipInstructionSet pip_instruction_set(void);
/// Returns 1 if the machine supports an instruction set, else 0.
int32_t pip_can_run(PipInstructionSet set);
/// Returns the name of an instruction set, such as `AVX-512`.
const char *pip_instruction_set_name(PipInstructionSet set);
/// Returns the loops over rows for an instruction set, or the scalar loops if the machine does not support the set.
const PipRowFunctions *pip_row_functions(PipInstructionSet set);
/// Returns the effect whose `identity` is given; NULL if there is no such effect.
const PipEffect *pip_effect(PipInstructionSet set, uint64_t identity);
/// Returns all effects, sorted by identity, and writes their number to `count`.
const PipEffect *pip_effects(PipInstructionSet set, int32_t *count);
/// Returns all shaders that compute tables, and writes their number to `count`.
const PipTableMaker *pip_table_makers(int32_t *count);

#ifdef __cplusplus
}
#endif

#endif
