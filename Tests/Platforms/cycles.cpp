// Calls one row function once, without any library, for `cycles` to record which instructions it executes.
//
// Usage: PROGRAM FUNCTION COUNT
#include "CPixels.h"

struct PipKernelSet {
    const PipRowFunctions *rows;
    const PipEffect *effects;
    int32_t effectCount;
};
extern const PipKernelSet PIP_KERNELS;
#if defined(__x86_64__)
asm(".globl _start\n_start: mov %rsp, %rdi\n call begin");
#else
asm(".globl _start\n_start: mov x0, sp\n bl begin");
#endif

extern "C" void *memcpy(void *to, const void *from, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
extern "C" void *memset(void *to, int value, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++)
        ((volatile char *)to)[i] = (char)value;
    return to;
}

[[noreturn]] static void leave(long status)
{
#if defined(__x86_64__)
    asm volatile("syscall" ::"a"(60), "D"(status));
#else
    register long number asm("x8") = 93, code asm("x0") = status;
    asm volatile("svc 0" ::"r"(number), "r"(code));
#endif
    __builtin_unreachable();
}

static bool isEqual(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static constexpr int width = 2048, side = 256;
alignas(64) static float rows[16][width];
alignas(64) static uint8_t bytes[2][4 * width], picture[4 * side * side];
alignas(64) static uint16_t sums[width];
alignas(64) static int16_t numbers16[4 * width];
alignas(64) static float table[4 * 36 * 1089], numbers[64];
static int32_t starts[width];
static const char *name;
static int32_t count;

static void fill()
{
    uint32_t state = 1;
    auto next = [&] { return state = state * 1664525u + 1013904223u, (state >> 8) / 16777216.0f; };
    for (auto &row : rows)
        for (float &value : row)
            value = next();
    for (auto &row : bytes)
        for (uint8_t &value : row)
            value = (uint8_t)(next() * 255.0f);
    for (uint8_t &value : picture)
        value = (uint8_t)(next() * 255.0f);
    for (float &value : table)
        value = next();
    for (float &value : numbers)
        value = next();
    for (int32_t i = 0; i < width; i++)
        starts[i] = i / 2;
}

// Positions along a line that is turned by some degrees: neighbours in the row are not neighbours in the picture.
static void turn()
{
    for (int32_t i = 0; i < width; i++) {
        rows[0][i] = 20.0f + 0.2f * (float)i;
        rows[1][i] = 10.0f + 0.1f * (float)i;
    }
}

// Places along the same line.
static PipPlaces turnedPlaces()
{
    static uint32_t samples[width], weights[width];
    for (uint32_t i = 0; i < (uint32_t)width; i++) {
        samples[i] = (20 + i / 5) | (10 + i / 10) << 16;
        weights[i] = i % 5 * 102 | i % 10 * 51 << 16;
    }
    return {samples, weights};
}

static bool runRows()
{
    const PipRowFunctions &run = *PIP_KERNELS.rows;
    const auto row = [](int k) { return rows[k] + 16; };
    const PipRows opaque = {{row(0), row(1), row(2), nullptr}}, lower = {{row(3), row(4), row(5), nullptr}};
    const PipRows result = {{row(6), row(7), row(8), row(9)}}, opaqueResult = {{row(6), row(7), row(8), nullptr}};
    const PipPixels pixels = {picture, side, side, 4 * side, 0, {4, 0, 1, 2, 3}};
    const PipPixelOrder order = {4, 0, 1, 2, 3};
    if (isEqual(name, "polynomial"))
        run.polynomial(numbers, 8, 0, row(0), count);
    else if (isEqual(name, "colorsOfLuma"))
        run.colorsOfLuma(bytes[0], row(0), row(1), numbers, &opaqueResult, count);
    else if (isEqual(name, "sample"))
        turn(), run.sample(&pixels, rows[0], rows[1], 1, 0, &result, count);
    else if (isEqual(name, "warp") || isEqual(name, "warpPairs")) {
        const PipPlaces places = turnedPlaces();
        const PipSamples planes[] = {{picture, 2 * side, 1}, {picture + side, 2 * side, 1}};
        const PipSamples results[] = {{bytes[0], 0, 1}, {bytes[1], 0, 1}};
        isEqual(name, "warp") ? run.warp(planes, &places, bytes[0], count)
                              : run.warpPairs(planes, &places, results, count);
    } else if (isEqual(name, "storeLuma"))
        run.storeLuma(&opaque, numbers, bytes[0], count);
    else if (isEqual(name, "addWeighed"))
        run.addWeighed(bytes[0], 1, 0.3f, row(0), 0, count);
    else if (isEqual(name, "storeChroma"))
        run.storeChroma(&opaque, &lower, numbers, bytes[0], bytes[0] + 1, 2, count / 2);
    else if (isEqual(name, "addBytes"))
        run.addBytes(bytes[0], 1, sums, 0, count);
    else if (isEqual(name, "scaleBytes"))
        run.scaleBytes(bytes[0], 1.1f, 3.0f, bytes[1], count);
    else if (isEqual(name, "matrix"))
        run.matrix(&opaque, numbers, &opaqueResult, count);
    else if (isEqual(name, "pack"))
        run.pack(&result, 1, bytes[0], count);
    else if (isEqual(name, "mixPairs"))
        run.mixPairs(bytes[0], numbers, bytes[1], count / 2);
    else if (isEqual(name, "unpack"))
        run.unpack(picture, &order, 0, &result, count);
    else if (isEqual(name, "shade"))
        run.shade(numbers16, &opaque, count);
    else if (isEqual(name, "shadePlanes")) {
        const PipShadedRows planes = {
            {bytes[0], bytes[1]}, {picture, picture + side}, 1, {numbers16, numbers16}, numbers16, {bytes[0], bytes[1]},
            {picture, picture + side}, 1};
        static const PipShadeNumbers shade = {{{16384, 9, 9, 9}, {9, 16384, 9, 9}, {9, 9, 16384, 9}}, {264, 2057, 2057}, 4};
        run.shadePlanes(&planes, &shade, count / 2);
    } else if (isEqual(name, "sumOfRows")) {
        const uint8_t *const lines[] = {bytes[0], bytes[1], bytes[0]};
        static const uint16_t thirds[] = {21845, 21845, 21845};
        run.sumOfRows(lines, thirds, 3, 1, (int16_t *)sums, count);
    } else if (isEqual(name, "meansOfColumns")) {
        const PipColumns columns = {starts, numbers16, picture, 4, 1, 1 << 22, 23};
        run.meansOfColumns((const int16_t *)sums, &columns, bytes[0], count);
    } else if (isEqual(name, "columns"))
        run.columns(row(0), starts, row(2), 3, row(9), count);
    else if (isEqual(name, "convolveAcross"))
        run.convolveAcross(row(0) + 16, numbers, 9, row(1), count);
    else
        return false;
    return true;
}

static void runEffect(const PipEffect &effect)
{
    const PipTexture cube = {table, 6 * 33, 6 * 33, 16 * 6 * 33, 1};
    const float cubeUniforms[] = {33.0f, 6.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f};
    PipEffectRow row = {};
    for (int k = 0; k < 12; k++)
        row.rows[k] = rows[k] + 16;
    for (int k = 0; k < 3; k++)
        row.result[k] = rows[12 + k] + 16;
    row.pixel = 0.5f, row.stepX = 1.0f / (float)width, row.y = 0.3f;
    row.uniforms = isEqual(name, "Cube") ? cubeUniforms : numbers;
    row.tables = &cube;
    row.picture = {picture, side, side, 4 * side, 0};
    row.ownX = 8.5f, row.ownY = 100.5f, row.ownStepX = 1.0f;
    row.sampleMap[0] = width, row.sampleMap[2] = 8.0f, row.sampleMap[4] = side;
    row.pixelWidth = 1.0f / (float)width, row.pixelHeight = 1.0f / (float)side;
    row.count = count;
    effect.functions[0](&row);
}

extern "C" [[noreturn]] void begin(const long *stack)
{
    const char *const *arguments = (const char *const *)(stack + 1);
    if (stack[0] != 3)
        leave(64);
    name = arguments[1];
    for (const char *digit = arguments[2]; *digit; digit++)
        count = 10 * count + (*digit - '0');
    fill();
    if (runRows())
        leave(0);
    for (int32_t k = 0; k < PIP_KERNELS.effectCount; k++) {
        const PipEffect &effect = PIP_KERNELS.effects[k];
        const char *full = effect.name, *own = name;
        while (*own && *own == *full)
            own++, full++;
        if (!*own && *full == '.')
            runEffect(effect), leave(0);
    }
    leave(1);
}
