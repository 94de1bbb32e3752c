// A colour matrix and a factor for each pixel, applied to planes of Y'CbCr in fixed point.
#define PIP_LANES (LANES >= 8 ? 16 : 8)
typedef int16_t Signed __attribute__((ext_vector_type(PIP_LANES)));
typedef int16_t LooseSigned __attribute__((ext_vector_type(PIP_LANES), aligned(1)));
typedef uint16_t Unsigned __attribute__((ext_vector_type(PIP_LANES)));
typedef uint8_t HalfBytes __attribute__((ext_vector_type(PIP_LANES)));
typedef uint8_t LooseHalfBytes __attribute__((ext_vector_type(PIP_LANES), aligned(1)));
typedef uint8_t PixelBytes __attribute__((ext_vector_type(2 * PIP_LANES)));
typedef uint8_t LoosePixelBytes __attribute__((ext_vector_type(2 * PIP_LANES), aligned(1)));

// Two vectors of neighbouring pixels. In each part of 128 bits, `low` has the first half of 16 pixels.
struct Pixels {
    Signed low, high;
};

#if LANES >= 8
typedef __m256i Register;
#define PIP_INSTRUCTION(NAME) _mm256_##NAME
#elif defined(__SSE2__)
typedef __m128i Register;
#define PIP_INSTRUCTION(NAME) _mm_##NAME
#endif

// The upper halves of products.
static INLINE Signed product(Signed a, Signed b)
{
#ifdef PIP_INSTRUCTION
    return __builtin_bit_cast(
        Signed, PIP_INSTRUCTION(mulhi_epi16)(__builtin_bit_cast(Register, a), __builtin_bit_cast(Register, b)));
#else
    typedef int32_t Products __attribute__((ext_vector_type(PIP_LANES)));
    const Products all = __builtin_convertvector(a, Products) * __builtin_convertvector(b, Products);
    return __builtin_convertvector(all >> 16, Signed);
#endif
}

// Limits pixels to 0 to 255, in the order of memory.
static INLINE PixelBytes bytesOf(Pixels pixels)
{
#ifdef PIP_INSTRUCTION
    return __builtin_bit_cast(
        PixelBytes, PIP_INSTRUCTION(packus_epi16)(
                        __builtin_bit_cast(Register, pixels.low), __builtin_bit_cast(Register, pixels.high)));
#else
    const auto limited = [](Signed n) INLINED {
        return __builtin_convertvector(
            __builtin_elementwise_min(__builtin_elementwise_max(n, Signed(0)), Signed(255)), HalfBytes);
    };
    return __builtin_shufflevector(
        limited(pixels.low), limited(pixels.high), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

// Half of the sum of each pair of pixels, which must be less than 32768.
static INLINE Signed halfSums(Pixels pixels)
{
#ifdef PIP_INSTRUCTION
    const auto sums = [](Signed n) INLINED {
        return PIP_INSTRUCTION(srli_epi32)(
            PIP_INSTRUCTION(madd_epi16)(__builtin_bit_cast(Register, n), PIP_INSTRUCTION(set1_epi16)(1)), 1);
    };
    return __builtin_bit_cast(Signed, PIP_INSTRUCTION(packs_epi32)(sums(pixels.low), sums(pixels.high)));
#else
    const Unsigned low = __builtin_bit_cast(Unsigned, pixels.low);
    const Unsigned high = __builtin_bit_cast(Unsigned, pixels.high);
    return __builtin_bit_cast(
        Signed, (__builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14)
                     + __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15)) >> 1);
#endif
}

#if LANES >= 8
#define PIP_LOW_BYTES 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18, 50, 19, 51, 20, 52, \
    21, 53, 22, 54, 23, 55
#define PIP_HIGH_BYTES 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, 26, 58, 27, 59, \
    28, 60, 29, 61, 30, 62, 31, 63
#define PIP_LOW_TWICE 0, 0, 1, 1, 2, 2, 3, 3, 8, 8, 9, 9, 10, 10, 11, 11
#define PIP_HIGH_TWICE 4, 4, 5, 5, 6, 6, 7, 7, 12, 12, 13, 13, 14, 14, 15, 15
#define PIP_LOW 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define PIP_HIGH 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#else
#define PIP_LOW_BYTES 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define PIP_HIGH_BYTES 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define PIP_LOW_TWICE 0, 0, 1, 1, 2, 2, 3, 3
#define PIP_HIGH_TWICE 4, 4, 5, 5, 6, 6, 7, 7
#define PIP_LOW 0, 1, 2, 3, 4, 5, 6, 7
#define PIP_HIGH 8, 9, 10, 11, 12, 13, 14, 15
#endif

// Reads pixels in 128ths of a byte.
static INLINE Pixels pixelsAt(const uint8_t *bytes)
{
    const PixelBytes none = PixelBytes(0), own = *(const LoosePixelBytes *)(const void *)bytes;
    const auto shifted = [](PixelBytes b) INLINED {
        return __builtin_bit_cast(Signed, __builtin_bit_cast(Unsigned, b) << 7);
    };
    return {
        shifted(__builtin_shufflevector(own, none, PIP_LOW_BYTES)),
        shifted(__builtin_shufflevector(own, none, PIP_HIGH_BYTES))};
}

// Reads a factor for each pixel.
static INLINE Pixels shadesAt(const int16_t *shades)
{
    const LooseSigned *at = (const LooseSigned *)(const void *)shades;
    const Signed first = at[0], second = at[1];
    return {__builtin_shufflevector(first, second, PIP_LOW), __builtin_shufflevector(first, second, PIP_HIGH)};
}

// Reads Cb and Cr, which become 128ths of a byte, less 16384.
template<bool arePairs>
static INLINE void chromaAt(const PipShadedRows &rows, int32_t i, Signed &cb, Signed &cr)
{
    if constexpr (arePairs) {
        const bool isSecond = rows.chroma[1] < rows.chroma[0];
        const Signed pairs = *(const LooseSigned *)(const void *)(rows.chroma[isSecond] + 2 * i);
        const Signed low = ((pairs & 255) << 7) - 16384;
        const Signed high = __builtin_bit_cast(
            Signed, (__builtin_bit_cast(Unsigned, pairs) >> 8 << 7)) - 16384;
        cb = isSecond ? high : low;
        cr = isSecond ? low : high;
    } else {
        const auto plane = [&](const uint8_t *bytes) INLINED {
            return (__builtin_convertvector(*(const LooseHalfBytes *)(const void *)(bytes + i), Signed) << 7)
                - 16384;
        };
        cb = plane(rows.chroma[0]);
        cr = plane(rows.chroma[1]);
    }
}

static INLINE void storeChromaOf(const PipShadedRows &rows, int32_t i, Signed cb, Signed cr)
{
    const auto limited = [](Signed n) INLINED {
        return __builtin_elementwise_min(__builtin_elementwise_max(n, Signed(0)), Signed(255));
    };
    cb = limited(cb), cr = limited(cr);
    if (rows.resultStep == 2) {
        *(LooseSigned *)(void *)(rows.resultChroma[0] + 2 * i) = cb | (cr << 8);
        return;
    }
    *(LooseHalfBytes *)(void *)(rows.resultChroma[0] + i) = __builtin_convertvector(cb, HalfBytes);
    *(LooseHalfBytes *)(void *)(rows.resultChroma[1] + i) = __builtin_convertvector(cr, HalfBytes);
}

template<bool arePairs, bool isShaded>
static void shadePlanesLoop(const PipShadedRows rows, const PipShadeNumbers *numbers, int32_t count)
{
    const int16_t(&n)[3][4] = numbers->matrix;
    const int16_t *offset = numbers->offset;
    const int shift = numbers->shift;
    // The last block overlaps the block before it.
    for (int32_t at = 0; at < count; at += PIP_LANES) {
        const int32_t i = at + PIP_LANES <= count ? at : count - PIP_LANES;
        Signed cb, cr;
        chromaAt<arePairs>(rows, i, cb, cr);
        const Signed tint = product(cb, Signed(n[0][1])) + product(cr, Signed(n[0][2])) + n[0][3];
        const Signed tints[2] = {
            __builtin_shufflevector(tint, tint, PIP_LOW_TWICE), __builtin_shufflevector(tint, tint, PIP_HIGH_TWICE)};
        Pixels sum = {Signed(0), Signed(0)};
#pragma clang loop unroll(full)
        for (int k = 0; k < 2; k++) {
            const Pixels luma = pixelsAt(rows.luma[k] + 2 * i);
            Signed low = product(luma.low, Signed(n[0][0])) + tints[0];
            Signed high = product(luma.high, Signed(n[0][0])) + tints[1];
            if constexpr (isShaded) {
                const Pixels shades = shadesAt(rows.shades[k] + 2 * i);
                low = product(low, shades.low), high = product(high, shades.high);
                sum.low += product(luma.low, shades.low), sum.high += product(luma.high, shades.high);
            } else {
                low >>= 1, high >>= 1;
                sum.low += luma.low >> 1, sum.high += luma.high >> 1;
            }
            *(LoosePixelBytes *)(void *)(rows.result[k] + 2 * i)
                = bytesOf({(low + offset[0]) >> shift, (high + offset[0]) >> shift});
        }
        const Signed mean = halfSums(sum);
        const auto chroma = [&](int row) INLINED {
            Signed own = product(cb, Signed(n[row][1])) + product(cr, Signed(n[row][2])) + n[row][3];
            if constexpr (isShaded)
                own = product(own, *(const LooseSigned *)(const void *)(rows.meanShades + i));
            else
                own >>= 1;
            return (own + (product(mean, Signed(n[row][0])) >> 1) + offset[row]) >> shift;
        };
        storeChromaOf(rows, i, chroma(1), chroma(2));
    }
}

static void shadePlanes(const PipShadedRows *rows, const PipShadeNumbers *numbers, int32_t count)
{
    if (rows->shades[0])
        return rows->chromaStep == 2 ? shadePlanesLoop<true, true>(*rows, numbers, count)
                                     : shadePlanesLoop<false, true>(*rows, numbers, count);
    return rows->chromaStep == 2 ? shadePlanesLoop<true, false>(*rows, numbers, count)
                                 : shadePlanesLoop<false, false>(*rows, numbers, count);
}
#undef PIP_LANES
#undef PIP_INSTRUCTION
#undef PIP_LOW_BYTES
#undef PIP_HIGH_BYTES
#undef PIP_LOW_TWICE
#undef PIP_HIGH_TWICE
#undef PIP_LOW
#undef PIP_HIGH
