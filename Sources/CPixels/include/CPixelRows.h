// Loops over rows of pixels, compiled for each instruction set.
//
// A loop computes `count` elements, unless its comment counts otherwise. A row of floats must have room for 16 floats
// before its first element, and room up to the next multiple of 16 elements after its last. Colours are 0 to 1, unless
// a comment gives another range. A matrix has three rows, each of three factors and an offset.
#ifndef PIP_PIXEL_ROWS_H
#define PIP_PIXEL_ROWS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The positions of a pixel's components, in bytes from the beginning of the pixel.
typedef struct {
    int32_t bytesPerPixel;
    int32_t red, green, blue;
    /// The position of alpha; below 0 for opaque pixels.
    int32_t alpha;
} PipPixelOrder;

/// Four rows of floats: red, green, blue and alpha, or Y', Cb, Cr and alpha; alpha is NULL for opaque pixels.
typedef struct {
    float *components[4];
} PipRows;

/// A picture in one plane; colours are premultiplied if the picture has alpha.
typedef struct {
    const void *texels;
    int32_t width, height;
    /// The number of bytes from row to row.
    int64_t stride;
    /// 1 for texels of four 32-bit floats (red, green, blue, alpha); 0 for texels of bytes, in the order `order`.
    int32_t isFloat;
    PipPixelOrder order;
} PipPixels;

/// The places of results among the samples of a plane. A result lies between a sample, its right neighbour, and the two
/// samples below these.
typedef struct {
    /// The column (bits 0 to 15) and the row (bits 16 to 31) of the upper left one of the four samples.
    const uint32_t *samples;
    /// The weights of the right samples (bits 0 to 15) and of the lower samples (bits 16 to 31), from 0 to 4096.
    const uint32_t *weights;
} PipPlaces;

/// Bytes of a plane or of a row: samples of one component, `step` bytes apart.
typedef struct {
    uint8_t *first;
    /// The number of bytes from row to row.
    int32_t stride;
    int32_t step;
} PipSamples;

/// The columns whose weighted mean is a result. The arrays must have room for a multiple of 4 results, and rows of sums
/// room for 8 sums after the last one that is read.
typedef struct {
    /// The first column of each result.
    const int32_t *starts;
    /// The weights of columns. They lie in groups for two numbers: the first four weights of the first number, the
    /// first four of the second, the next four of the first.
    const int16_t *weights;
    /// The positions of the bytes of a number's four sums among those of the eight sums from the first of two numbers
    /// on; only for one number a result, and four columns. The second number begins up to four columns after the first.
    const uint8_t *orders;
    /// The number of columns of each result, a multiple of 4.
    int32_t taps;
    /// The numbers in a result, which have equal weights: 1, or 2 for pairs.
    int32_t parts;
    /// The number to add to a weighted sum, and the number of its bits that are less than a result.
    int32_t offset, shift;
} PipColumns;

/// Two rows of a 4:2:0 picture, their shades, and the memory for the results.
typedef struct {
    const uint8_t *luma[2];
    /// Cb and Cr. With a step of 2, one is one byte after the other.
    const uint8_t *chroma[2];
    int32_t chromaStep;
    /// The factor of each pixel in shares of 32768; NULL where all factors are 1.
    const int16_t *shades[2];
    /// The mean factor of each 2×2 pixels.
    const int16_t *meanShades;
    uint8_t *result[2];
    /// The results' Cb and Cr. With a step of 2, Cr is one byte after Cb.
    uint8_t *resultChroma[2];
    int32_t resultStep;
} PipShadedRows;

/// A colour matrix in fixed point, applied to Y', and to Cb and Cr less 128.
typedef struct {
    /// For each result the factors of the three components, in shares of 1 << (9 + precision), and what is added before
    /// the shade, in shares of 1 << precision. Sums must be less than 32768.
    int16_t matrix[3][4];
    /// What is added after the shade, in shares of 1 << shift.
    int16_t offset[3];
    /// The precision less 1.
    int16_t shift;
} PipShadeNumbers;

/// A rounded rectangle, in canvas pixels, with its opacity, or a shadow of this shape.
typedef struct {
    float x, y, width, height;
    float cornerRadius;
    float opacity;
    /// The distance over which a shadow fades on each side of its edge; below 0 for the rectangle itself.
    float shadowBlur;
    /// The width of the border within the edge; below 0 for no border.
    float borderWidth;
    /// The border's straight (unpremultiplied) colour in the encoding of the target, and its alpha.
    float borderColor[4];
} PipCover;

typedef struct {
    /// Converts bytes, 1 to 4 (`step`) apart, to floats of 0 to 255.
    void (*widen)(const uint8_t *bytes, int32_t step, float *result, int32_t count);
    /// Converts bytes, 1, 2 or 4 (`step`) apart, to floats of 0 to 255, and writes each float twice.
    void (*widenTwice)(const uint8_t *bytes, int32_t step, float *result, int32_t count);
    /// Writes each number twice; `count` is the number of results.
    void (*twice)(const float *row, float *result, int32_t count);
    /// Applies a matrix for components of 0 to 255 to bytes of luma and floats of chroma.
    void (*colorsOfLuma)(
        const uint8_t *luma, const float *cb, const float *cr, const float *matrix, const PipRows *result, int32_t count);
    /// Applies a matrix to the first three components; `result` may be `rows`.
    void (*matrix)(const PipRows *rows, const float *matrix, const PipRows *result, int32_t count);

    /// Multiplies bytes by `scale`, adds `offset`, and limits the results to 0 to 255; `result` may be `bytes`.
    void (*scaleBytes)(const uint8_t *bytes, float scale, float offset, uint8_t *result, int32_t count);
    /// Applies an affine map to two rows of bytes. `map` holds the factors of both bytes and an offset, for `low` and
    /// then for `high`. Results are limited to 0 to 255, and may replace the given bytes.
    void (*mixBytes)(
        const uint8_t *first, const uint8_t *second, const float *map, uint8_t *low, uint8_t *high, int32_t count);
    /// Applies the map of `mixBytes` to the two bytes of each pair; `count` is the number of pairs.
    void (*mixPairs)(const uint8_t *pairs, const float *map, uint8_t *result, int32_t count);

    /// Adds bytes, 1 to 4 (`step`) apart, to the sums; the bytes replace the sums if `isFirst` is not 0.
    void (*addBytes)(const uint8_t *bytes, int32_t step, uint16_t *sums, int32_t isFirst, int32_t count);
    /// Adds up `factor` neighbouring sums for each result, and multiplies the total by `scale`.
    void (*meansOfSums)(const uint16_t *sums, int32_t factor, float scale, float *result, int32_t count);
    /// Works like `addBytes`, but multiplies each byte by `weight`.
    void (*addWeighed)(
        const uint8_t *bytes, int32_t step, float weight, float *sums, int32_t isFirst, int32_t count);
    /// Adds floats of 0 to 1, `step` floats apart, to the sums, each multiplied by 255 and `weight`; the products
    /// replace the sums if `isFirst` is not 0.
    void (*addWeighedFloats)(
        const float *numbers, int32_t step, float weight, float *sums, int32_t isFirst, int32_t count);
    /// Adds floats, multiplied by `weight`, to the sums; the products replace the sums if `isFirst` is not 0.
    void (*addRow)(const float *row, float weight, float *sums, int32_t isFirst, int32_t count);
    /// Adds up `taps` rows of bytes, each multiplied by a weight in shares of 65536, and `bias`. Sums are in 256ths of
    /// a byte, to which products are rounded down, less 32768. The weights add up to 65536 at most, `bias` is 127 at
    /// most.
    void (*sumOfRows)(
        const uint8_t *const *rows, const uint16_t *weights, int32_t taps, int32_t bias, int16_t *sums,
        int32_t count);
    /// Computes each result as the weighted mean of neighbouring sums of rows.
    void (*meansOfColumns)(const int16_t *sums, const PipColumns *columns, uint8_t *result, int32_t count);
    /// Computes each result as a weighted sum of `taps` neighbours, of which result `i` reads the first at `starts[i]`.
    /// The weight of tap `t` is at `t * count + i`.
    void (*columns)(
        const float *row, const int32_t *starts, const float *weights, int32_t taps, float *result, int32_t count);
    /// Computes `count` pairs of results. The first result of a pair weights a number and the next one by the first two
    /// weights; the second result weights the two numbers that lie `shift` further by the other two weights.
    void (*doubleColumns)(const float *row, const float *weights, int32_t shift, float *result, int32_t count);
    /// Works like `columns`, but limits each result to the range of the numbers between two taps, inclusive. `bounds`
    /// holds the indices of the two taps for each result.
    void (*boundedColumns)(
        const float *row, const int32_t *starts, const float *weights, const int32_t *bounds, int32_t taps,
        float *result, int32_t count);
    /// Computes weighted sums of `taps` rows, limited to the range of the numbers in the rows `first` to `last`.
    void (*boundedRows)(
        const float *const *rows, const float *weights, int32_t first, int32_t last, int32_t taps, float *result,
        int32_t count);

    /// Splits pixels of bytes into rows of components; divides colours by alpha if `straightens` is not 0.
    void (*unpack)(
        const uint8_t *pixels, const PipPixelOrder *order, int32_t straightens, const PipRows *result, int32_t count);
    /// Applies an affine map to positions. `map` holds the factors of x and y and the offset, for x and then for y.
    void (*place)(const float *x, const float *y, const float *map, float *resultX, float *resultY, int32_t count);
    /// Splits pixels of four floats into rows of components; divides colours by alpha if `straightens` is not 0.
    void (*unpackFloats)(const float *texels, int32_t straightens, const PipRows *result, int32_t count);
    /// Divides colours by alpha, which counts as 1/1024 or more.
    void (*straighten)(const PipRows *rows, int32_t count);
    /// Applies a symmetric kernel to a row. `weights` begins with the centre's and holds one side, `taps` in all; the
    /// row must have `taps` - 1 further numbers on both sides.
    void (*convolveAcross)(const float *row, const float *weights, int32_t taps, float *result, int32_t count);
    /// Applies a symmetric kernel to 2 · `taps` - 1 rows, which are given from top to bottom.
    void (*convolveDown)(
        const float *const *rows, const float *weights, int32_t taps, float *result, int32_t count);
    /// Reads a picture at positions in samples: interpolates between four pixels if `interpolates` is not 0, else reads
    /// the pixel that contains the position. A coordinate of NaN reads the first column or row.
    void (*sample)(
        const PipPixels *picture, const float *x, const float *y, int32_t interpolates, int32_t straightens,
        const PipRows *result, int32_t count);
    /// Works like `sample`, at positions that begin at (`x`, `y`) and lie (`stepX`, `stepY`) apart.
    void (*sampleLine)(
        const PipPixels *picture, float x, float y, float stepX, float stepY, int32_t interpolates,
        int32_t straightens, const PipRows *result, int32_t count);
    /// Converts positions in samples to places, rounded to 1/4096 of a sample, or to a sample within 1/1024. The plane
    /// has at least 2×2 samples. A coordinate of NaN becomes the first column or row. Sets `isCopy` to 1 for each block
    /// of 16 results that are 16 neighbouring samples, else to 0; the last block may have fewer.
    void (*findPlaces)(
        const float *x, const float *y, int32_t width, int32_t height, uint32_t *samples, uint32_t *weights,
        uint8_t *isCopy, int32_t count);
    /// Interpolates between four samples of a plane for each place. Places must have room up to the next multiple of
    /// 16.
    void (*warp)(const PipSamples *plane, const PipPlaces *places, uint8_t *result, int32_t count);
    /// Works like `warp`, for a plane with any step, and without rounding: results are floats of 0 to 255.
    void (*warpToFloats)(const PipSamples *plane, const PipPlaces *places, float *result, int32_t count);
    /// Works like `warp`, for two components with the same places. A step of 2 is that of a plane of pairs, in which
    /// one component is one byte after the other; so is a step of 2 in the results.
    void (*warpPairs)(
        const PipSamples *planes, const PipPlaces *places, const PipSamples *results, int32_t count);
    /// Copies a row of two components, with steps as in `warpPairs`.
    void (*copyPairs)(const PipSamples *samples, const PipSamples *results, int32_t count);
    /// Reverses the order of a row's numbers.
    void (*reverse)(float *row, int32_t count);
    /// Transposes four rows of `count` numbers into the first four numbers of `count` rows.
    void (*turnFour)(const float *rows, int32_t stride, float *columns, int32_t columnStride, int32_t count);

    /// Evaluates a polynomial, the lowest power first, for each number. The variable is the number, limited to 0 to 1,
    /// or its square root if `takesRoot` is not 0, mapped from 0 to 1 to -1 to 1.
    void (*polynomial)(const float *coefficients, int32_t degree, int32_t takesRoot, float *row, int32_t count);
    /// Interpolates each number in a table over its square root. The table has 1024 entries, each with a value and the
    /// difference to the next value.
    void (*curve)(const float *table, float *row, int32_t count);
    /// Converts factors of 0 to 1 to shares of 32768, of which 1 is 32767; NaN becomes 0.
    void (*shadesOf)(const float *factors, int16_t *shades, int32_t count);
    /// Computes the means of 2×2 factors; `count` is the number of means.
    void (*meanShades)(const int16_t *upper, const int16_t *lower, int16_t *means, int32_t count);
    /// Multiplies colours by factors in shares of 32768.
    void (*shade)(const int16_t *shades, const PipRows *rows, int32_t count);
    /// Limits numbers to 0 to 1; NaN becomes 0.
    void (*limit)(float *row, int32_t count);

    /// Mixes the border into colours, and multiplies alpha by the coverage. The first pixel's centre is (`x`, `y`), in
    /// canvas pixels.
    void (*cover)(const PipCover *cover, float x, float y, const PipRows *rows, int32_t count);

    /// Premultiplies colours, and writes pixels of four bytes: red, green, blue, alpha. The pixels are blended over the
    /// existing ones if `blends` is not 0. Without a row of alpha, opaque pixels replace the existing ones.
    void (*pack)(const PipRows *rows, int32_t blends, uint8_t *pixels, int32_t count);
    /// Works like `pack`, for pixels of four floats.
    void (*packFloats)(const PipRows *rows, int32_t blends, float *texels, int32_t count);
    /// Computes one component from three rows, and writes it as bytes; `row` holds three factors and an offset.
    void (*storeLuma)(const PipRows *rows, const float *row, uint8_t *bytes, int32_t count);
    /// Computes Cb and Cr from means of 2×2 pixels, by two rows of a matrix, and writes `count` bytes of each. With a
    /// `step` of 1, each component has its own plane; with 2, pairs begin at `cb`, and `cr` must be `cb` + 1.
    void (*storeChroma)(
        const PipRows *upper, const PipRows *lower, const float *matrixRows, uint8_t *cb, uint8_t *cr, int32_t step,
        int32_t count);
    /// Applies a matrix to two rows of a 4:2:0 picture, multiplies the results by shades, and adds the offsets; `count`
    /// is the number of chroma samples, at least 16. Products are rounded down.
    void (*shadePlanes)(const PipShadedRows *rows, const PipShadeNumbers *numbers, int32_t count);
    /// Blends the first component over the existing bytes, by alpha.
    void (*blendLuma)(const PipRows *rows, uint8_t *bytes, int32_t count);
    /// Blends means of 2×2 pixels of the second and third component over `count` existing bytes of each, by alpha.
    void (*blendChroma)(
        const PipRows *upper, const PipRows *lower, uint8_t *cb, uint8_t *cr, int32_t step, int32_t count);
} PipRowFunctions;

/// Prefetches memory that will be read soon, also beyond the end of a page, where processors stop prefetching.
static inline void pip_prefetch(const void *first, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += 64)
        __builtin_prefetch((const char *)first + i);
}

#ifdef __cplusplus
}
#endif

#endif
