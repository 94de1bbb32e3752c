// Plain loops over rows, which the compiler vectorizes for the instruction set that includes this file.
//
// Pointers are restricted parameters: for local pointers, the compiler would add checks for overlaps.
#define PIP_ROW const float *__restrict
#define PIP_RESULT float *__restrict

// Precedes a loop with many sums and results of bytes: NEON's registers do not hold as many pixels as a vector of bytes.
#ifdef LANES_ARE_NEON
#define PIP_FEW_PIXELS _Pragma("clang loop vectorize_width(8) interleave(disable)")
#else
#define PIP_FEW_PIXELS
#endif

// Limits a value to 0 to 1; NaN becomes 0.
static inline float limited(float value)
{
    float low = value > 0.0f ? value : 0.0f;
    return low < 1.0f ? low : 1.0f;
}

// Limits a value to 0 to 1, and converts it to a byte of 0 to 255.
static inline uint8_t byteOf(float value) { return (uint8_t)(int32_t)(limited(value) * 255.0f + 0.5f); }

// MARK: Samples to rows

template<int step> static void widenSteps(const uint8_t *__restrict bytes, PIP_RESULT result, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        result[i] = (float)bytes[i * step];
}

static void widen(const uint8_t *bytes, int32_t step, float *result, int32_t count)
{
    switch (step) {
    case 1: return widenSteps<1>(bytes, result, count);
    case 2: return widenSteps<2>(bytes, result, count);
    case 3: return widenSteps<3>(bytes, result, count);
    default: return widenSteps<4>(bytes, result, count);
    }
}

template<int step> static void widenTwiceSteps(const uint8_t *__restrict bytes, PIP_RESULT result, int32_t count)
{
    for (int32_t i = 0; i < count / 2; i++) {
        float value = (float)bytes[i * step];
        result[2 * i] = value;
        result[2 * i + 1] = value;
    }
    if (count % 2 == 1)
        result[count - 1] = (float)bytes[count / 2 * step];
}

static void widenTwice(const uint8_t *bytes, int32_t step, float *result, int32_t count)
{
    switch (step) {
    case 1: return widenTwiceSteps<1>(bytes, result, count);
    case 2: return widenTwiceSteps<2>(bytes, result, count);
    default: return widenTwiceSteps<4>(bytes, result, count);
    }
}

static void twice(PIP_ROW row, PIP_RESULT result, int32_t count)
{
    for (int32_t i = 0; i < count / 2; i++) {
        result[2 * i] = row[i];
        result[2 * i + 1] = row[i];
    }
    if (count % 2 == 1)
        result[count - 1] = row[count / 2];
}

static void lumaLoop(
    const uint8_t *__restrict luma, PIP_ROW cb, PIP_ROW cr, const float *m, PIP_RESULT r, PIP_RESULT g, PIP_RESULT b,
    int32_t count)
{
    const float m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5];
    const float m6 = m[6], m7 = m[7], m8 = m[8], m9 = m[9], m10 = m[10], m11 = m[11];
    for (int32_t i = 0; i < count; i++) {
        float y = (float)luma[i], u = cb[i], v = cr[i];
        r[i] = m0 * y + (m1 * u + m2 * v + m3);
        g[i] = m4 * y + (m5 * u + m6 * v + m7);
        b[i] = m8 * y + (m9 * u + m10 * v + m11);
    }
}

static void colorsOfLuma(
    const uint8_t *luma, const float *cb, const float *cr, const float *m, const PipRows *result, int32_t count)
{
    lumaLoop(luma, cb, cr, m, result->components[0], result->components[1], result->components[2], count);
}

static void matrixLoop(
    const float *x, const float *y, const float *z, const float *m, float *r, float *g, float *b, int32_t count)
{
    const float m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5];
    const float m6 = m[6], m7 = m[7], m8 = m[8], m9 = m[9], m10 = m[10], m11 = m[11];
#pragma clang loop vectorize(assume_safety)
    for (int32_t i = 0; i < count; i++) {
        float p = x[i], q = y[i], s = z[i];
        r[i] = m0 * p + (m1 * q + m2 * s + m3);
        g[i] = m4 * p + (m5 * q + m6 * s + m7);
        b[i] = m8 * p + (m9 * q + m10 * s + m11);
    }
}

static void matrixRows(const PipRows *rows, const float *m, const PipRows *result, int32_t count)
{
    float *const *from = rows->components, *const *to = result->components;
    matrixLoop(from[0], from[1], from[2], m, to[0], to[1], to[2], count);
}

// MARK: Samples to samples

static inline uint8_t sampleOf(float value)
{
    float low = value > 0.0f ? value : 0.0f;
    return (uint8_t)(int32_t)((low < 255.0f ? low : 255.0f) + 0.5f);
}

static void scaleBytes(const uint8_t *bytes, float scale, float offset, uint8_t *result, int32_t count)
{
#pragma clang loop vectorize(assume_safety)
    for (int32_t i = 0; i < count; i++)
        result[i] = sampleOf((float)bytes[i] * scale + offset);
}

static void mixBytes(
    const uint8_t *first, const uint8_t *second, const float *map, uint8_t *low, uint8_t *high, int32_t count)
{
    float a = map[0], b = map[1], c = map[2], d = map[3], e = map[4], f = map[5];
#pragma clang loop vectorize(assume_safety)
    for (int32_t i = 0; i < count; i++) {
        float x = (float)first[i], y = (float)second[i];
        low[i] = sampleOf(x * a + y * b + c);
        high[i] = sampleOf(x * d + y * e + f);
    }
}

typedef uint16_t LoosePair __attribute__((aligned(1)));

// Reads pairs as 16-bit numbers, because the compiler would gather and scatter single bytes one by one.
static void mixPairs(const uint8_t *bytes, const float *map, uint8_t *result, int32_t count)
{
    const LoosePair *pairs = (const LoosePair *)(const void *)bytes;
    LoosePair *mixed = (LoosePair *)(void *)result;
    float a = map[0], b = map[1], c = map[2], d = map[3], e = map[4], f = map[5];
#pragma clang loop vectorize(assume_safety)
    for (int32_t i = 0; i < count; i++) {
        float x = (float)(pairs[i] & 255), y = (float)(pairs[i] >> 8);
        mixed[i] = (uint16_t)(sampleOf(x * a + y * b + c) | sampleOf(x * d + y * e + f) << 8);
    }
}

// MARK: Means

template<int step, bool isFirst>
static void addBytesSteps(const uint8_t *__restrict bytes, uint16_t *__restrict sums, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        sums[i] = (uint16_t)((isFirst ? 0 : sums[i]) + bytes[i * step]);
}

static void addBytes(const uint8_t *bytes, int32_t step, uint16_t *sums, int32_t isFirst, int32_t count)
{
    switch (step) {
    case 1: return isFirst ? addBytesSteps<1, true>(bytes, sums, count) : addBytesSteps<1, false>(bytes, sums, count);
    case 2: return isFirst ? addBytesSteps<2, true>(bytes, sums, count) : addBytesSteps<2, false>(bytes, sums, count);
    case 3: return isFirst ? addBytesSteps<3, true>(bytes, sums, count) : addBytesSteps<3, false>(bytes, sums, count);
    default: return isFirst ? addBytesSteps<4, true>(bytes, sums, count) : addBytesSteps<4, false>(bytes, sums, count);
    }
}

template<int factor>
static void meansOf(const uint16_t *__restrict sums, float scale, PIP_RESULT result, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t sum = 0;
        for (int k = 0; k < factor; k++)
            sum += sums[i * factor + k];
        result[i] = (float)sum * scale;
    }
}

static void meansOfSums(const uint16_t *sums, int32_t factor, float scale, float *result, int32_t count)
{
    switch (factor) {
    case 1: return meansOf<1>(sums, scale, result, count);
    case 2: return meansOf<2>(sums, scale, result, count);
    case 3: return meansOf<3>(sums, scale, result, count);
    case 4: return meansOf<4>(sums, scale, result, count);
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t sum = 0;
        for (int32_t k = 0; k < factor; k++)
            sum += sums[i * factor + k];
        result[i] = (float)sum * scale;
    }
}

template<int step>
static void addWeighedSteps(const uint8_t *__restrict bytes, float weight, PIP_RESULT sums, int32_t isFirst, int32_t count)
{
    if (isFirst)
        for (int32_t i = 0; i < count; i++)
            sums[i] = (float)bytes[i * step] * weight;
    else
        for (int32_t i = 0; i < count; i++)
            sums[i] += (float)bytes[i * step] * weight;
}

static void addWeighed(const uint8_t *bytes, int32_t step, float weight, float *sums, int32_t isFirst, int32_t count)
{
    switch (step) {
    case 1: return addWeighedSteps<1>(bytes, weight, sums, isFirst, count);
    case 2: return addWeighedSteps<2>(bytes, weight, sums, isFirst, count);
    case 3: return addWeighedSteps<3>(bytes, weight, sums, isFirst, count);
    default: return addWeighedSteps<4>(bytes, weight, sums, isFirst, count);
    }
}

static void addWeighedFloats(
    PIP_ROW numbers, int32_t step, float weight, PIP_RESULT sums, int32_t isFirst, int32_t count)
{
    const float scale = weight * 255.0f;
    if (isFirst)
        for (int32_t i = 0; i < count; i++)
            sums[i] = numbers[i * step] * scale;
    else
        for (int32_t i = 0; i < count; i++)
            sums[i] += numbers[i * step] * scale;
}

static void addRow(PIP_ROW row, float weight, PIP_RESULT sums, int32_t isFirst, int32_t count)
{
    if (isFirst)
        for (int32_t i = 0; i < count; i++)
            sums[i] = row[i] * weight;
    else
        for (int32_t i = 0; i < count; i++)
            sums[i] += row[i] * weight;
}

template<int taps>
static void columnsOf(PIP_ROW row, const int32_t *__restrict starts, PIP_ROW weights, PIP_RESULT result, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        float sum = 0.0f;
        for (int k = 0; k < taps; k++)
            sum += weights[k * count + i] * row[starts[i] + k];
        result[i] = sum;
    }
}

static void columns(
    const float *row, const int32_t *starts, const float *weights, int32_t taps, float *result, int32_t count)
{
    switch (taps) {
    case 1: return columnsOf<1>(row, starts, weights, result, count);
    case 2: return columnsOf<2>(row, starts, weights, result, count);
    case 3: return columnsOf<3>(row, starts, weights, result, count);
    case 4: return columnsOf<4>(row, starts, weights, result, count);
    case 5: return columnsOf<5>(row, starts, weights, result, count);
    }
    for (int32_t i = 0; i < count; i++) {
        float sum = 0.0f;
        for (int32_t k = 0; k < taps; k++)
            sum += weights[k * count + i] * row[starts[i] + k];
        result[i] = sum;
    }
}

static void doubleColumns(PIP_ROW row, const float *weights, int32_t shift, PIP_RESULT result, int32_t count)
{
    const float a = weights[0], b = weights[1], c = weights[2], d = weights[3];
    PIP_ROW other = row + shift;
    for (int32_t i = 0; i < count; i++) {
        result[2 * i] = a * row[i] + b * row[i + 1];
        result[2 * i + 1] = c * other[i] + d * other[i + 1];
    }
}

static void boundedColumns(
    PIP_ROW row, const int32_t *__restrict starts, PIP_ROW weights, const int32_t *__restrict bounds, int32_t taps,
    PIP_RESULT result, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        float sum = 0.0f, low = 1.0f, high = 0.0f;
        for (int32_t k = 0; k < taps; k++) {
            float value = row[starts[i] + k];
            sum += weights[k * count + i] * value;
            bool counts = k >= bounds[2 * i] && k <= bounds[2 * i + 1];
            low = counts && value < low ? value : low;
            high = counts && value > high ? value : high;
        }
        sum = sum < low ? low : sum;
        result[i] = sum > high ? high : sum;
    }
}

static void boundedRows(
    const float *const *rows, const float *weights, int32_t first, int32_t last, int32_t taps, PIP_RESULT result,
    int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        float sum = 0.0f, low = 1.0f, high = 0.0f;
        for (int32_t k = 0; k < taps; k++) {
            float value = rows[k][i];
            sum += weights[k] * value;
            bool counts = k >= first && k <= last;
            low = counts && value < low ? value : low;
            high = counts && value > high ? value : high;
        }
        sum = sum < low ? low : sum;
        result[i] = sum > high ? high : sum;
    }
}

// MARK: Pictures

static inline float shareOf(float alpha) { return 1.0f / (alpha > 1.0f / 1024.0f ? alpha : 1.0f / 1024.0f); }

static void straightenLoop(PIP_RESULT r, PIP_RESULT g, PIP_RESULT b, PIP_ROW a, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        float alpha = a[i] > 1.0f / 1024.0f ? a[i] : 1.0f / 1024.0f;
        r[i] /= alpha;
        g[i] /= alpha;
        b[i] /= alpha;
    }
}

static void straighten(const PipRows *rows, int32_t count)
{
    float *const *c = rows->components;
    straightenLoop(c[0], c[1], c[2], c[3], count);
}

template<int step>
static void unpackPart(const uint8_t *__restrict bytes, PIP_RESULT result, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        result[i] = (float)bytes[i * step] * (1.0f / 255.0f);
}

static void unpackFour(
    const uint8_t *__restrict pixels, int red, int green, int blue, int alpha, PIP_RESULT r, PIP_RESULT g,
    PIP_RESULT b, PIP_RESULT a, int32_t count)
{
    // Each pixel is read once, as a 32-bit number whose bytes are shifted into place.
    const uint32_t *__restrict words = (const uint32_t *)(const void *)pixels;
    for (int32_t i = 0; i < count; i++) {
        uint32_t pixel = words[i];
        r[i] = (float)(int32_t)((pixel >> (8 * red)) & 255) * (1.0f / 255.0f);
        g[i] = (float)(int32_t)((pixel >> (8 * green)) & 255) * (1.0f / 255.0f);
        b[i] = (float)(int32_t)((pixel >> (8 * blue)) & 255) * (1.0f / 255.0f);
    }
    if (a && alpha >= 0)
        for (int32_t i = 0; i < count; i++)
            a[i] = (float)(int32_t)((words[i] >> (8 * alpha)) & 255) * (1.0f / 255.0f);
}

static void fillRow(PIP_RESULT row, float value, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        row[i] = value;
}

static void unpack(
    const uint8_t *pixels, const PipPixelOrder *order, int32_t straightens, const PipRows *result, int32_t count)
{
    float *const *c = result->components;
    if (order->bytesPerPixel == 4) {
        unpackFour(pixels, order->red, order->green, order->blue, order->alpha, c[0], c[1], c[2], c[3], count);
    } else {
        unpackPart<3>(pixels + order->red, c[0], count);
        unpackPart<3>(pixels + order->green, c[1], count);
        unpackPart<3>(pixels + order->blue, c[2], count);
    }
    if (order->alpha < 0) {
        if (c[3])
            fillRow(c[3], 1.0f, count);
    } else if (straightens) {
        straighten(result, count);
    }
}

static void placeRows(
    PIP_ROW x, PIP_ROW y, const float *m, PIP_RESULT resultX, PIP_RESULT resultY, int32_t count)
{
    const float a = m[0], b = m[1], c = m[2], d = m[3], e = m[4], f = m[5];
    for (int32_t i = 0; i < count; i++) {
        resultX[i] = a * x[i] + b * y[i] + c;
        resultY[i] = d * x[i] + e * y[i] + f;
    }
}

static void unpackFloatsLoop(
    PIP_ROW texels, PIP_RESULT r, PIP_RESULT g, PIP_RESULT b, PIP_RESULT a, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        r[i] = texels[4 * i];
        g[i] = texels[4 * i + 1];
        b[i] = texels[4 * i + 2];
    }
    if (a)
        for (int32_t i = 0; i < count; i++)
            a[i] = texels[4 * i + 3];
}

static void unpackFloats(const float *texels, int32_t straightens, const PipRows *result, int32_t count)
{
    float *const *c = result->components;
    unpackFloatsLoop(texels, c[0], c[1], c[2], c[3], count);
    if (straightens)
        straighten(result, count);
}

static void convolveAcross(PIP_ROW row, const float *weights, int32_t taps, PIP_RESULT result, int32_t count)
{
    const float middle = weights[0];
    for (int32_t i = 0; i < count; i++)
        result[i] = middle * row[i];
    // Four weights are applied at a time, so that the sums are read and written less often.
    int32_t k = 1;
    for (; k + 3 < taps; k += 4) {
        const float a = weights[k], b = weights[k + 1], c = weights[k + 2], d = weights[k + 3];
        PIP_ROW left = row - k;
        PIP_ROW right = row + k;
        for (int32_t i = 0; i < count; i++) {
            float sum = result[i];
            sum += a * (left[i] + right[i]);
            sum += b * (left[i - 1] + right[i + 1]);
            sum += c * (left[i - 2] + right[i + 2]);
            sum += d * (left[i - 3] + right[i + 3]);
            result[i] = sum;
        }
    }
    for (; k < taps; k++) {
        const float weight = weights[k];
        for (int32_t i = 0; i < count; i++)
            result[i] += weight * (row[i - k] + row[i + k]);
    }
}

static void addPair(PIP_ROW one, PIP_ROW other, float weight, PIP_RESULT sums, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        sums[i] += weight * (one[i] + other[i]);
}

static void addTwoPairs(
    PIP_ROW a, PIP_ROW b, PIP_ROW c, PIP_ROW d, float first, float second, PIP_RESULT sums, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        float sum = sums[i];
        sum += first * (a[i] + b[i]);
        sum += second * (c[i] + d[i]);
        sums[i] = sum;
    }
}

static void convolveDown(const float *const *rows, const float *weights, int32_t taps, float *result, int32_t count)
{
    const float *const *middle = rows + taps - 1;
    addRow(middle[0], weights[0], result, 1, count);
    int32_t k = 1;
    for (; k + 1 < taps; k += 2)
        addTwoPairs(
            middle[-k], middle[k], middle[-k - 1], middle[k + 1], weights[k], weights[k + 1], result, count);
    if (k < taps)
        addPair(middle[-k], middle[k], weights[k], result, count);
}

struct Color {
    float r, g, b, a;
};

static inline Color texelOf(const PipPixels &picture, int32_t x, int32_t y)
{
    const char *row = (const char *)picture.texels + y * picture.stride;
    if (picture.isFloat) {
        const float *texel = (const float *)(const void *)row + 4 * x;
        return {texel[0], texel[1], texel[2], texel[3]};
    }
    const PipPixelOrder &order = picture.order;
    const uint8_t *pixel = (const uint8_t *)row + x * order.bytesPerPixel;
    const float scale = 1.0f / 255.0f;
    return {
        (float)pixel[order.red] * scale, (float)pixel[order.green] * scale, (float)pixel[order.blue] * scale,
        order.alpha < 0 ? 1.0f : (float)pixel[order.alpha] * scale};
}

static inline Color mixed(Color a, Color b, float share)
{
    return {
        a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share, a.a + (b.a - a.a) * share};
}

static inline float within(float value, float low, float high)
{
    float least = value > low ? value : low;
    return least < high ? least : high;
}

static inline void sampleOne(
    const PipPixels &picture, float x, float y, bool interpolates, bool straightens, const PipRows *result, int32_t i)
{
    Color color;
    const float width = (float)picture.width, height = (float)picture.height;
    if (interpolates) {
        float column = within(x, 0.5f, width - 0.5f) - 0.5f, row = within(y, 0.5f, height - 0.5f) - 0.5f;
        column = x == x ? column : 0.0f;
        row = y == y ? row : 0.0f;
        int32_t x0 = (int32_t)column, y0 = (int32_t)row;
        int32_t x1 = x0 + 1 < picture.width ? x0 + 1 : picture.width - 1;
        int32_t y1 = y0 + 1 < picture.height ? y0 + 1 : picture.height - 1;
        float across = column - (float)x0, down = row - (float)y0;
        color = mixed(
            mixed(texelOf(picture, x0, y0), texelOf(picture, x1, y0), across),
            mixed(texelOf(picture, x0, y1), texelOf(picture, x1, y1), across), down);
    } else {
        // Positions outside the picture read the nearest pixel at its edge.
        int32_t column = (int32_t)within(x, 0.0f, width - 1.0f), row = (int32_t)within(y, 0.0f, height - 1.0f);
        color = texelOf(picture, x == x ? column : 0, y == y ? row : 0);
    }
    if (straightens) {
        float alpha = color.a > 1.0f / 1024.0f ? color.a : 1.0f / 1024.0f;
        color.r /= alpha;
        color.g /= alpha;
        color.b /= alpha;
    }
    result->components[0][i] = color.r;
    result->components[1][i] = color.g;
    result->components[2][i] = color.b;
    if (result->components[3])
        result->components[3][i] = color.a;
}

// Interpolates at `LANES` positions at a time, in a picture that has at least two columns.
template<bool isFloat, class P>
static INLINE void sampleLanes(
    const PipPixels &picture, P place, bool straightens, const PipRows *result, int32_t count)
{
    const float width = (float)picture.width, height = (float)picture.height;
    const PipPixelOrder &own = picture.order;
    const WordOrder order = {8 * own.red, 8 * own.green, 8 * own.blue, own.alpha < 0 ? 0 : 8 * own.alpha};
    const bool isOpaque = !isFloat && own.alpha < 0;
    for (int32_t i = 0; i < count; i += LANES) {
        const LaneVec2 at = place(i);
        const F column = clamp(at.x, 0.5f, width - 0.5f) - 0.5f, line = clamp(at.y, 0.5f, height - 0.5f) - 0.5f;
        LaneVec4 color = interpolated<isFloat>(
            (const char *)picture.texels, (int)picture.stride, picture.width, picture.height, order,
            choose(at.x == at.x, column, F(0.0f)), choose(at.y == at.y, line, F(0.0f)));
        if (isOpaque)
            color.w = F(1.0f);
        if (straightens) {
            const F alpha = max(color.w, 1.0f / 1024.0f);
            color.x /= alpha;
            color.y /= alpha;
            color.z /= alpha;
        }
        store(result->components[0] + i, color.x);
        store(result->components[1] + i, color.y);
        store(result->components[2] + i, color.z);
        if (result->components[3])
            store(result->components[3] + i, color.w);
    }
}

// True if `sampleLanes` can read the picture.
static inline bool hasLanes(const PipPixels &picture)
{
    return picture.width > 1 && (picture.isFloat || picture.order.bytesPerPixel == 4)
        && picture.stride * picture.height <= INT32_MAX;
}

template<class P>
static INLINE void sampleAll(
    const PipPixels &picture, P place, bool interpolates, bool straightens, const PipRows *result, int32_t count)
{
    if (interpolates && hasLanes(picture)) {
        if (picture.isFloat)
            return sampleLanes<true>(picture, place, straightens, result, count);
        return sampleLanes<false>(picture, place, straightens, result, count);
    }
    for (int32_t i = 0; i < count; i += LANES) {
        const LaneVec2 at = place(i);
        for (int32_t lane = 0; lane < LANES && i + lane < count; lane++)
            sampleOne(picture, at.x[lane], at.y[lane], interpolates, straightens, result, i + lane);
    }
}

static void sample(
    const PipPixels *picture, const float *x, const float *y, int32_t interpolates, int32_t straightens,
    const PipRows *result, int32_t count)
{
    const PipPixels own = *picture;
    sampleAll(
        own, [&](int32_t i) INLINED { return LaneVec2{load(x + i), load(y + i)}; }, interpolates, straightens, result,
        count);
}

static void sampleLine(
    const PipPixels *picture, float x, float y, float stepX, float stepY, int32_t interpolates, int32_t straightens,
    const PipRows *result, int32_t count)
{
    const PipPixels own = *picture;
    sampleAll(
        own,
        [&](int32_t i) INLINED {
            const F number = laneNumbers() + (float)i;
            return LaneVec2{x + number * stepX, y + number * stepY};
        },
        interpolates, straightens, result, count);
}

static void reverse(float *row, int32_t count)
{
    for (int32_t i = 0; i < count / 2; i++) {
        float value = row[i];
        row[i] = row[count - 1 - i];
        row[count - 1 - i] = value;
    }
}

typedef float Four __attribute__((ext_vector_type(4), aligned(4)));

static void turnFour(const float *rows, int32_t stride, float *columns, int32_t columnStride, int32_t count)
{
    int32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        Four a = *(const Four *)(rows + i), b = *(const Four *)(rows + stride + i);
        Four c = *(const Four *)(rows + 2 * stride + i), d = *(const Four *)(rows + 3 * stride + i);
        Four low = __builtin_shufflevector(a, b, 0, 4, 1, 5), high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        Four lowNext = __builtin_shufflevector(c, d, 0, 4, 1, 5), highNext = __builtin_shufflevector(c, d, 2, 6, 3, 7);
        float *out = columns + (int64_t)i * columnStride;
        *(Four *)out = __builtin_shufflevector(low, lowNext, 0, 1, 4, 5);
        *(Four *)(out + columnStride) = __builtin_shufflevector(low, lowNext, 2, 3, 6, 7);
        *(Four *)(out + 2 * columnStride) = __builtin_shufflevector(high, highNext, 0, 1, 4, 5);
        *(Four *)(out + 3 * columnStride) = __builtin_shufflevector(high, highNext, 2, 3, 6, 7);
    }
    for (; i < count; i++)
        for (int32_t k = 0; k < 4; k++)
            columns[(int64_t)i * columnStride + k] = rows[k * stride + i];
}

// MARK: Values

static inline float root(float value) { return __builtin_elementwise_sqrt(value); }

// Several vectors are processed at once: their sums stay in registers, and no sum waits for another. A condition in place
// of the parameter `takesRoot` would compute the roots in any case.
template<int vectors, bool takesRoot>
static INLINE void polynomialOf(const float *coefficients, int32_t degree, float *values)
{
    F argument[vectors], sum[vectors];
    for (int k = 0; k < vectors; k++) {
        // NaN counts as 0.
        F value = load(values + k * LANES);
        value = min(choose(value > 0.0f, value, F(0.0f)), F(1.0f));
        argument[k] = (takesRoot ? sqrt(value) : value) * 2.0f - 1.0f;
        sum[k] = F(coefficients[degree]);
    }
    for (int32_t power = degree - 1; power >= 0; power--)
        for (int k = 0; k < vectors; k++)
            sum[k] = sum[k] * argument[k] + coefficients[power];
    for (int k = 0; k < vectors; k++)
        store(values + k * LANES, sum[k]);
}

template<bool takesRoot>
static INLINE void polynomialRow(const float *coefficients, int32_t degree, float *row, int32_t count)
{
    int32_t i = 0;
    for (; i + 6 * LANES <= count; i += 6 * LANES)
        polynomialOf<6, takesRoot>(coefficients, degree, row + i);
    for (; i < count; i += LANES)
        polynomialOf<1, takesRoot>(coefficients, degree, row + i);
}

static void polynomial(const float *coefficients, int32_t degree, int32_t takesRoot, float *row, int32_t count)
{
    return takesRoot ? polynomialRow<true>(coefficients, degree, row, count)
                     : polynomialRow<false>(coefficients, degree, row, count);
}

static void curve(PIP_ROW table, PIP_RESULT row, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        float place = root(limited(row[i])) * 1023.0f;
        int32_t index = (int32_t)place;
        index = index < 1022 ? index : 1022;
        row[i] = table[2 * index] + (place - (float)index) * table[2 * index + 1];
    }
}

static void shadesOf(const float *__restrict factors, int16_t *__restrict shades, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        shades[i] = (int16_t)(int32_t)(limited(factors[i]) * 32767.0f + 0.5f);
}

static void meanShades(
    const int16_t *__restrict upper, const int16_t *__restrict lower, int16_t *__restrict means, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        means[i] = (int16_t)((upper[2 * i] + upper[2 * i + 1] + lower[2 * i] + lower[2 * i + 1] + 2) >> 2);
}

static void shadeLoop(const int16_t *__restrict shades, PIP_RESULT r, PIP_RESULT g, PIP_RESULT b, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const float factor = (float)shades[i] * (1.0f / 32768.0f);
        r[i] *= factor;
        g[i] *= factor;
        b[i] *= factor;
    }
}

static void shadeRows(const int16_t *shades, const PipRows *rows, int32_t count)
{
    float *const *c = rows->components;
    shadeLoop(shades, c[0], c[1], c[2], count);
}

static void limitRow(PIP_RESULT row, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        row[i] = limited(row[i]);
}

// MARK: Looks

static inline float edgeDistance(const PipCover &cover, float x, float y)
{
    float dx = x - (cover.x + 0.5f * cover.width), dy = y - (cover.y + 0.5f * cover.height);
    float qx = (dx < 0.0f ? -dx : dx) - 0.5f * cover.width + cover.cornerRadius;
    float qy = (dy < 0.0f ? -dy : dy) - 0.5f * cover.height + cover.cornerRadius;
    float ox = qx > 0.0f ? qx : 0.0f, oy = qy > 0.0f ? qy : 0.0f, most = qx > qy ? qx : qy;
    return root(ox * ox + oy * oy) + (most < 0.0f ? most : 0.0f) - cover.cornerRadius;
}

static void coverLoop(
    const PipCover cover, float x, float y, PIP_RESULT r, PIP_RESULT g, PIP_RESULT b, PIP_RESULT a, int32_t count)
{
    if (cover.borderWidth >= 0.0f) {
        const float red = cover.borderColor[0], green = cover.borderColor[1], blue = cover.borderColor[2];
        const float alpha = cover.borderColor[3], width = cover.borderWidth;
        for (int32_t i = 0; i < count; i++) {
            float over = alpha * limited(edgeDistance(cover, x + (float)i, y) + width + 0.5f);
            float below = a[i] * (1.0f - over);
            float whole = over + below;
            float most = whole > 1.0f / 1024.0f ? whole : 1.0f / 1024.0f;
            r[i] = (red * over + r[i] * below) / most;
            g[i] = (green * over + g[i] * below) / most;
            b[i] = (blue * over + b[i] * below) / most;
            a[i] = whole;
        }
    }
    const float opacity = cover.opacity, blur = cover.shadowBlur;
    if (blur >= 0.0f)
        for (int32_t i = 0; i < count; i++) {
            float t = limited((edgeDistance(cover, x + (float)i, y) + blur) / (blur + blur));
            a[i] *= opacity * (1.0f - t * t * (3.0f - 2.0f * t));
        }
    else
        for (int32_t i = 0; i < count; i++)
            a[i] *= opacity * limited(0.5f - edgeDistance(cover, x + (float)i, y));
}

static void coverRows(const PipCover *cover, float x, float y, const PipRows *rows, int32_t count)
{
    float *const *c = rows->components;
    coverLoop(*cover, x, y, c[0], c[1], c[2], c[3], count);
}

// MARK: Rows to samples

static inline uint32_t wordOf(float r, float g, float b, float a)
{
    return (uint32_t)byteOf(r) | (uint32_t)byteOf(g) << 8 | (uint32_t)byteOf(b) << 16 | (uint32_t)byteOf(a) << 24;
}

static void packOpaque(PIP_ROW r, PIP_ROW g, PIP_ROW b, uint32_t *__restrict words, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        words[i] = wordOf(r[i], g[i], b[i], 1.0f);
}

static void packAlpha(PIP_ROW r, PIP_ROW g, PIP_ROW b, PIP_ROW a, uint32_t *__restrict words, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        words[i] = wordOf(r[i] * a[i], g[i] * a[i], b[i] * a[i], a[i]);
}

// The drawn colours are limited before they are blended, as OpenGL does for targets of bytes.
static void packOver(PIP_ROW r, PIP_ROW g, PIP_ROW b, PIP_ROW a, uint32_t *__restrict words, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        uint32_t there = words[i];
        float rest = (1.0f - a[i]) * (1.0f / 255.0f);
        words[i] = wordOf(
            limited(r[i] * a[i]) + rest * (float)(int32_t)(there & 255),
            limited(g[i] * a[i]) + rest * (float)(int32_t)(there >> 8 & 255),
            limited(b[i] * a[i]) + rest * (float)(int32_t)(there >> 16 & 255),
            a[i] + rest * (float)(int32_t)(there >> 24));
    }
}

static void pack(const PipRows *rows, int32_t blends, uint8_t *pixels, int32_t count)
{
    float *const *c = rows->components;
    uint32_t *words = (uint32_t *)(void *)pixels;
    if (!c[3])
        packOpaque(c[0], c[1], c[2], words, count);
    else if (blends)
        packOver(c[0], c[1], c[2], c[3], words, count);
    else
        packAlpha(c[0], c[1], c[2], c[3], words, count);
}

static void packFloatsLoop(
    PIP_ROW r, PIP_ROW g, PIP_ROW b, const float *a, bool blends, PIP_RESULT texels, int32_t count)
{
    if (!a)
        for (int32_t i = 0; i < count; i++) {
            texels[4 * i] = r[i];
            texels[4 * i + 1] = g[i];
            texels[4 * i + 2] = b[i];
            texels[4 * i + 3] = 1.0f;
        }
    else
        for (int32_t i = 0; i < count; i++) {
            const float alpha = a[i], rest = blends ? 1.0f - alpha : 0.0f;
            texels[4 * i] = r[i] * alpha + (blends ? rest * texels[4 * i] : 0.0f);
            texels[4 * i + 1] = g[i] * alpha + (blends ? rest * texels[4 * i + 1] : 0.0f);
            texels[4 * i + 2] = b[i] * alpha + (blends ? rest * texels[4 * i + 2] : 0.0f);
            texels[4 * i + 3] = alpha + (blends ? rest * texels[4 * i + 3] : 0.0f);
        }
}

static void packFloats(const PipRows *rows, int32_t blends, float *texels, int32_t count)
{
    float *const *c = rows->components;
    packFloatsLoop(c[0], c[1], c[2], c[3], blends, texels, count);
}

static void storeLumaLoop(
    PIP_ROW x, PIP_ROW y, PIP_ROW z, const float *row, uint8_t *__restrict bytes, int32_t count)
{
    const float p = row[0], q = row[1], s = row[2], t = row[3];
    for (int32_t i = 0; i < count; i++)
        bytes[i] = byteOf(p * x[i] + (q * y[i] + s * z[i] + t));
}

static void storeLuma(const PipRows *rows, const float *row, uint8_t *bytes, int32_t count)
{
    float *const *c = rows->components;
    storeLumaLoop(c[0], c[1], c[2], row, bytes, count);
}

template<int step>
static void storeChromaLoop(
    PIP_ROW x0, PIP_ROW y0, PIP_ROW z0, PIP_ROW x1, PIP_ROW y1, PIP_ROW z1, const float *m, uint8_t *__restrict cb,
    uint8_t *__restrict cr, int32_t count)
{
    const float p = 0.25f * m[0], q = 0.25f * m[1], s = 0.25f * m[2], t = m[3];
    const float u = 0.25f * m[4], v = 0.25f * m[5], w = 0.25f * m[6], o = m[7];
    PIP_FEW_PIXELS
    for (int32_t i = 0; i < count; i++) {
        float x = x0[2 * i] + x0[2 * i + 1] + x1[2 * i] + x1[2 * i + 1];
        float y = y0[2 * i] + y0[2 * i + 1] + y1[2 * i] + y1[2 * i + 1];
        float z = z0[2 * i] + z0[2 * i + 1] + z1[2 * i] + z1[2 * i + 1];
        if (step == 1) {
            cb[i] = byteOf(p * x + (q * y + s * z + t));
            cr[i] = byteOf(u * x + (v * y + w * z + o));
        } else {
            cb[2 * i] = byteOf(p * x + (q * y + s * z + t));
            cb[2 * i + 1] = byteOf(u * x + (v * y + w * z + o));
        }
    }
}

static void storeChroma(
    const PipRows *upper, const PipRows *lower, const float *m, uint8_t *cb, uint8_t *cr, int32_t step, int32_t count)
{
    float *const *a = upper->components, *const *b = lower->components;
    if (step == 1)
        storeChromaLoop<1>(a[0], a[1], a[2], b[0], b[1], b[2], m, cb, cr, count);
    else
        storeChromaLoop<2>(a[0], a[1], a[2], b[0], b[1], b[2], m, cb, cb + 1, count);
}

static void blendLumaLoop(PIP_ROW x, PIP_ROW a, uint8_t *__restrict bytes, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        bytes[i] = byteOf(limited(x[i] * a[i]) + (1.0f - a[i]) * (1.0f / 255.0f) * (float)bytes[i]);
}

static void blendLuma(const PipRows *rows, uint8_t *bytes, int32_t count)
{
    blendLumaLoop(rows->components[0], rows->components[3], bytes, count);
}

template<int step>
static void blendChromaLoop(
    PIP_ROW y0, PIP_ROW z0, PIP_ROW a0, PIP_ROW y1, PIP_ROW z1, PIP_ROW a1, uint8_t *__restrict cb,
    uint8_t *__restrict cr, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        float p = a0[2 * i], q = a0[2 * i + 1], s = a1[2 * i], t = a1[2 * i + 1];
        float y = 0.25f * (y0[2 * i] * p + y0[2 * i + 1] * q + y1[2 * i] * s + y1[2 * i + 1] * t);
        float z = 0.25f * (z0[2 * i] * p + z0[2 * i + 1] * q + z1[2 * i] * s + z1[2 * i + 1] * t);
        float rest = (1.0f - 0.25f * (p + q + s + t)) * (1.0f / 255.0f);
        cb[i * step] = byteOf(limited(y) + rest * (float)cb[i * step]);
        cr[i * step] = byteOf(limited(z) + rest * (float)cr[i * step]);
    }
}

static void blendChroma(
    const PipRows *upper, const PipRows *lower, uint8_t *cb, uint8_t *cr, int32_t step, int32_t count)
{
    float *const *a = upper->components, *const *b = lower->components;
    if (step == 1)
        blendChromaLoop<1>(a[1], a[2], a[3], b[1], b[2], b[3], cb, cr, count);
    else
        blendChromaLoop<2>(a[1], a[2], a[3], b[1], b[2], b[3], cb, cr, count);
}

static constexpr PipRowFunctions rowFunctions = {
    widen, widenTwice, twice, colorsOfLuma, matrixRows, scaleBytes, mixBytes, mixPairs, addBytes, meansOfSums, addWeighed, addWeighedFloats, addRow, sumOfRows, meansOfColumns, columns,
    doubleColumns, boundedColumns, boundedRows, unpack, placeRows, unpackFloats, straighten, convolveAcross, convolveDown, sample, sampleLine, findPlaces, warp,
    warpToFloats, warpPairs, copyPairs, reverse, turnFour,
    polynomial, curve, shadesOf, meanShades, shadeRows, limitRow, coverRows, pack, packFloats, storeLuma, storeChroma, shadePlanes, blendLuma, blendChroma,
};

#undef PIP_FEW_PIXELS
#undef PIP_ROW
#undef PIP_RESULT
