// A colour matrix and a factor for each pixel, applied to planes of Y'CbCr in fixed point.

// Two vectors of neighbouring pixels. In each part of 128 bits, `low` has the first half of 16 pixels.
struct Pixels {
    Signed low, high;
};

// Limits pixels to 0 to 255, in the order of memory.
static INLINE WholeBytes bytesOf(Pixels pixels)
{
#ifdef PIP_INSTRUCTION
    return __builtin_bit_cast(
        WholeBytes, PIP_INSTRUCTION(packus_epi16)(
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
#define PIP_LOW_TWICE 0, 0, 1, 1, 2, 2, 3, 3, 8, 8, 9, 9, 10, 10, 11, 11
#define PIP_HIGH_TWICE 4, 4, 5, 5, 6, 6, 7, 7, 12, 12, 13, 13, 14, 14, 15, 15
#define PIP_LOW 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define PIP_HIGH 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#else
#define PIP_LOW_TWICE 0, 0, 1, 1, 2, 2, 3, 3
#define PIP_HIGH_TWICE 4, 4, 5, 5, 6, 6, 7, 7
#define PIP_LOW 0, 1, 2, 3, 4, 5, 6, 7
#define PIP_HIGH 8, 9, 10, 11, 12, 13, 14, 15
#endif

// Reads pixels in 128ths of a byte.
static INLINE Pixels pixelsAt(const uint8_t *bytes)
{
    const WholeBytes none = WholeBytes(0), own = *(const LooseWholeBytes *)(const void *)bytes;
    const auto shifted = [](WholeBytes b) INLINED {
        return __builtin_bit_cast(Signed, __builtin_bit_cast(Unsigned, b) << 7);
    };
    return {shifted(lowBytes(own, none)), shifted(highBytes(own, none))};
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
    for (int32_t at = 0; at < count; at += PIP_SHORTS) {
        const int32_t i = at + PIP_SHORTS <= count ? at : count - PIP_SHORTS;
        Signed cb, cr;
        chromaAt<arePairs>(rows, i, cb, cr);
        const Signed tint = productOf(cb, Signed(n[0][1])) + productOf(cr, Signed(n[0][2])) + n[0][3];
        const Signed tints[2] = {
            __builtin_shufflevector(tint, tint, PIP_LOW_TWICE), __builtin_shufflevector(tint, tint, PIP_HIGH_TWICE)};
        Pixels sum = {Signed(0), Signed(0)};
#pragma clang loop unroll(full)
        for (int k = 0; k < 2; k++) {
            const Pixels luma = pixelsAt(rows.luma[k] + 2 * i);
            Signed low = productOf(luma.low, Signed(n[0][0])) + tints[0];
            Signed high = productOf(luma.high, Signed(n[0][0])) + tints[1];
            if constexpr (isShaded) {
                const Pixels shades = shadesAt(rows.shades[k] + 2 * i);
                low = productOf(low, shades.low), high = productOf(high, shades.high);
                sum.low += productOf(luma.low, shades.low), sum.high += productOf(luma.high, shades.high);
            } else {
                low >>= 1, high >>= 1;
                sum.low += luma.low >> 1, sum.high += luma.high >> 1;
            }
            *(LooseWholeBytes *)(void *)(rows.result[k] + 2 * i)
                = bytesOf({(low + offset[0]) >> shift, (high + offset[0]) >> shift});
        }
        const Signed mean = halfSums(sum);
        const auto chroma = [&](int row) INLINED {
            Signed own = productOf(cb, Signed(n[row][1])) + productOf(cr, Signed(n[row][2])) + n[row][3];
            if constexpr (isShaded)
                own = productOf(own, *(const LooseSigned *)(const void *)(rows.meanShades + i));
            else
                own >>= 1;
            return (own + (productOf(mean, Signed(n[row][0])) >> 1) + offset[row]) >> shift;
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
#undef PIP_SHORTS
#undef PIP_INSTRUCTION
#undef PIP_LOW_TWICE
#undef PIP_HIGH_TWICE
#undef PIP_LOW
#undef PIP_HIGH
