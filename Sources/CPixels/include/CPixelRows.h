// Loops over rows of pixels, compiled for each instruction set.
//
// A row is `count` numbers. Rows of floats have room for 16 numbers before their first and up to the next multiple of
// 16 behind their last. Colours are 0 to 1 unless said; a matrix is three rows of three factors and an offset.
#ifndef PIP_PIXEL_ROWS_H
#define PIP_PIXEL_ROWS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where the components of a pixel lie in its bytes.
typedef struct {
    int32_t bytesPerPixel;
    int32_t red, green, blue;
    /// Below 0 where pixels are opaque.
    int32_t alpha;
} PipPixelOrder;

/// Four rows of floats: red, green, blue and alpha, or Y', Cb, Cr and alpha.
typedef struct {
    float *components[4];
} PipRows;

/// A picture of four components, premultiplied where it has alpha.
typedef struct {
    const void *texels;
    int32_t width, height;
    /// Bytes from a row to the next.
    int64_t stride;
    /// Four 32-bit floats a texel; else four bytes, in the order of `PipPixelOrder`.
    int32_t isFloat;
    PipPixelOrder order;
} PipPixels;

/// A rounded rectangle, in pixels, and a share of it.
typedef struct {
    float x, y, width, height;
    float cornerRadius;
    float opacity;
    /// The reach of a shadow's blur; below 0 for the rectangle itself.
    float shadowBlur;
    /// Below 0 without a border.
    float borderWidth;
    /// In the target's colours, straight.
    float borderColor[4];
} PipCover;

typedef struct {
    /// Bytes `step` apart, each as a float of 0 to 255.
    void (*widen)(const uint8_t *bytes, int32_t step, float *result, int32_t count);
    /// The same, each byte twice.
    void (*widenTwice)(const uint8_t *bytes, int32_t step, float *result, int32_t count);
    /// Each number twice.
    void (*twice)(const float *row, float *result, int32_t count);
    /// Bytes of luma, and rows of chroma of 0 to 255, through a matrix that takes 0 to 255.
    void (*colorsOfLuma)(
        const uint8_t *luma, const float *cb, const float *cr, const float *matrix, const PipRows *result, int32_t count);
    /// Three rows through a matrix, which may be in place.
    void (*matrix)(const PipRows *rows, const float *matrix, const PipRows *result, int32_t count);

    /// Bytes times a scale, and an offset added, within 0 to 255; may be in place.
    void (*scaleBytes)(const uint8_t *bytes, float scale, float offset, uint8_t *result, int32_t count);
    /// Two rows of bytes through an affine map, whose results have the factors of both and an offset each; may be in
    /// place.
    void (*mixBytes)(
        const uint8_t *first, const uint8_t *second, const float *map, uint8_t *low, uint8_t *high, int32_t count);
    /// The same with the halves of pairs.
    void (*mixPairs)(const uint8_t *pairs, const float *map, uint8_t *result, int32_t count);

    /// Adds bytes `step` apart; the first row replaces what is there.
    void (*addBytes)(const uint8_t *bytes, int32_t step, uint16_t *sums, int32_t isFirst, int32_t count);
    /// Each the sum of `factor` sums, times a scale.
    void (*meansOfSums)(const uint16_t *sums, int32_t factor, float scale, float *result, int32_t count);
    /// Adds bytes `step` apart, weighed; the first row replaces what is there.
    void (*addWeighed)(
        const uint8_t *bytes, int32_t step, float weight, float *sums, int32_t isFirst, int32_t count);
    /// The same of floats of 0 to 1, `step` numbers apart, times 255.
    void (*addWeighedFloats)(
        const float *numbers, int32_t step, float weight, float *sums, int32_t isFirst, int32_t count);
    /// Adds a row of floats, weighed.
    void (*addRow)(const float *row, float weight, float *sums, int32_t isFirst, int32_t count);
    /// For each result `taps` neighbours from a start on, weighed: weight `tap` of result `i` is at `tap * count + i`.
    void (*columns)(
        const float *row, const int32_t *starts, const float *weights, int32_t taps, float *result, int32_t count);
    /// Twice as many results as numbers: each number and the next one weighed by the first two weights, and those
    /// `shift` numbers on by the other two. `count` are the pairs.
    void (*doubleColumns)(const float *row, const float *weights, int32_t shift, float *result, int32_t count);
    /// The neighbours of `columns`, within what those from one tap to another one have; `bounds` are both, a pair a
    /// result.
    void (*boundedColumns)(
        const float *row, const int32_t *starts, const float *weights, const int32_t *bounds, int32_t taps,
        float *result, int32_t count);
    /// Rows, weighed, within what those from one to another one have.
    void (*boundedRows)(
        const float *const *rows, const float *weights, int32_t first, int32_t last, int32_t taps, float *result,
        int32_t count);

    /// Pixels as rows; straight colours where `straightens`.
    void (*unpack)(
        const uint8_t *pixels, const PipPixelOrder *order, int32_t straightens, const PipRows *result, int32_t count);
    /// Places through an affine map: three factors of x, y and 1 for each of both.
    void (*place)(const float *x, const float *y, const float *map, float *resultX, float *resultY, int32_t count);
    /// Four floats a pixel as rows.
    void (*unpackFloats)(const float *texels, int32_t straightens, const PipRows *result, int32_t count);
    /// Divides colours by their alpha.
    void (*straighten)(const PipRows *rows, int32_t count);
    /// Symmetric kernel across, the centre's weight first; the row has so many numbers on both sides.
    void (*convolveAcross)(const float *row, const float *weights, int32_t taps, float *result, int32_t count);
    /// Symmetric kernel down: the rows from the uppermost to the lowest.
    void (*convolveDown)(
        const float *const *rows, const float *weights, int32_t taps, float *result, int32_t count);
    /// A picture's pixels at places in its samples, interpolated or those that they lie in; NaN reads the first.
    void (*sample)(
        const PipPixels *picture, const float *x, const float *y, int32_t interpolates, int32_t straightens,
        const PipRows *result, int32_t count);
    /// The same at places along a line.
    void (*sampleLine)(
        const PipPixels *picture, float x, float y, float stepX, float stepY, int32_t interpolates,
        int32_t straightens, const PipRows *result, int32_t count);
    /// The last number first.
    void (*reverse)(float *row, int32_t count);
    /// Four rows of `count` numbers as the first four of `count` rows.
    void (*turnFour)(const float *rows, int32_t stride, float *columns, int32_t columnStride, int32_t count);

    /// A polynomial of a component within 0 to 1, or of its square root, taken to -1 to 1.
    void (*polynomial)(const float *coefficients, int32_t degree, int32_t takesRoot, float *row, int32_t count);
    /// A table over the square root of a component: 1023 values, each with the step to the next one.
    void (*curve)(const float *table, float *row, int32_t count);
    /// What is no number becomes 0, the rest 0 to 1.
    void (*limit)(float *row, int32_t count);

    /// Mixes the border into colours, and multiplies alpha by the coverage, of pixels whose first has its middle at a
    /// place.
    void (*cover)(const PipCover *cover, float x, float y, const PipRows *rows, int32_t count);

    /// Colours, premultiplied on the way, as pixels of four bytes in the order of red, green, blue and alpha; over what
    /// is there where `blends`. Without a row of alpha they are opaque.
    void (*pack)(const PipRows *rows, int32_t blends, uint8_t *pixels, int32_t count);
    /// The same as four floats a pixel.
    void (*packFloats)(const PipRows *rows, int32_t blends, float *texels, int32_t count);
    /// A component of colours as bytes; `row` are the factors and the offset that make it.
    void (*storeLuma)(const PipRows *rows, const float *row, uint8_t *bytes, int32_t count);
    /// Two components of the means of 2×2 pixels, as bytes `step` apart; `matrixRows` make them. `count` are the means.
    void (*storeChroma)(
        const PipRows *upper, const PipRows *lower, const float *matrixRows, uint8_t *cb, uint8_t *cr, int32_t step,
        int32_t count);
    /// The first component over the bytes that are there, by alpha.
    void (*blendLuma)(const PipRows *rows, uint8_t *bytes, int32_t count);
    /// The second and third component of the means of 2×2 pixels over the bytes that are there, by alpha.
    void (*blendChroma)(
        const PipRows *upper, const PipRows *lower, uint8_t *cb, uint8_t *cr, int32_t step, int32_t count);
} PipRowFunctions;

/// Asks for memory that will be read soon, also across the pages at which processors stop guessing.
static inline void pip_prefetch(const void *first, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += 64)
        __builtin_prefetch((const char *)first + i);
}

#ifdef __cplusplus
}
#endif

#endif
