// Vector code of the CPU: loops over rows of pixels, and the effects' GLSL, for each instruction set.
#ifndef PIP_PIXELS_H
#define PIP_PIXELS_H

#include "CPixelRows.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An instruction set; all give the same bits.
typedef enum { PipScalar, PipSSE2, PipAVX2, PipAVX512, PipNEON } PipInstructionSet;

/// A picture or table that an effect reads.
typedef struct {
    /// Four bytes a texel, or four 32-bit floats; premultiplied where there is alpha.
    const void *texels;
    int32_t width, height;
    /// Bytes from a row to the next.
    int32_t stride;
    int32_t isFloat;
} PipTexture;

/// What an effect's function takes, for a row of pixels.
typedef struct {
    /// Red, green, blue and alpha of the own pixels, of those of another picture, and of a third; of a neighbourhood
    /// the row above, the own one and the one below, each with a pixel before its first and one behind its last.
    ///
    /// Colours are straight. Rows may be read up to the next multiple of 16 pixels.
    const float *rows[12];
    /// Where the result goes, which may be the own row; without alpha all pixels are opaque, and the own alpha is not
    /// read. Of a warp, x and y.
    float *result[4];
    /// The first pixel's middle on the canvas, and the position of a pixel, 0 to 1: its middle times the step, and the
    /// rest added.
    float pixel, stepX, stepY, x, y;
    /// The values of the uniforms, one after the other.
    const float *uniforms;
    const PipTexture *tables;
    /// The picture that a function reads where it likes, premultiplied where it has alpha; so is what it gives.
    PipTexture picture;
    /// The place of the first pixel in the picture, and from a pixel to the next.
    float ownX, ownY, ownStepX, ownStepY;
    /// From positions to samples of the picture: factors of x, y and 1 for each of both.
    float sampleMap[6];
    /// The size of a sample, in positions.
    float pixelWidth, pixelHeight;
    /// Pixels; up to the next multiple of 16 may be written.
    int32_t count;
} PipEffectRow;

typedef void (*PipEffectFunction)(const PipEffectRow *row);

/// A uniform by its name, without what sets it apart from other effects', and how many floats it has.
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
    /// For opaque rows, and for those with alpha.
    PipEffectFunction functions[2];
    const PipUniform *uniforms;
    int32_t uniformCount;
    const char *const *tables;
    int32_t tableCount;
} PipEffect;

/// What a shader that computes a table takes.
typedef struct {
    /// The picture, premultiplied where it has alpha.
    PipTexture picture;
    int32_t hasAlpha;
    /// The table that the step before made.
    PipTexture table;
    /// Where the table goes: floats, zero before.
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

/// The instruction set that is used: the best that the machine has, or the one that the environment variable
/// `PIP_COMPOSE_VECTORS` names (`scalar`, `sse2`, `avx2`, `avx512`, `neon`) where it has that.
PipInstructionSet pip_instruction_set(void);
/// Whether the machine has an instruction set.
int32_t pip_can_run(PipInstructionSet set);
/// Its name, such as `AVX-512`.
const char *pip_instruction_set_name(PipInstructionSet set);
/// The loops over rows; of an instruction set that the machine has not, those of the scalar one.
const PipRowFunctions *pip_row_functions(PipInstructionSet set);
/// The function of an effect's text; NULL when there is none.
const PipEffect *pip_effect(PipInstructionSet set, uint64_t identity);
/// All functions, in the order of their identities.
const PipEffect *pip_effects(PipInstructionSet set, int32_t *count);
/// All shaders that compute tables.
const PipTableMaker *pip_table_makers(int32_t *count);

#ifdef __cplusplus
}
#endif

#endif
