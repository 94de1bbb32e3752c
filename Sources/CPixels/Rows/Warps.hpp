// Loops that read planes of bytes at places that a warp has displaced.
typedef uint8_t Bytes __attribute__((ext_vector_type(LANES)));
typedef uint16_t Halves __attribute__((ext_vector_type(LANES)));
typedef uint16_t LooseHalf __attribute__((aligned(1)));
typedef uint32_t LooseWord __attribute__((aligned(1)));

// Converts distances from the first sample to 4096ths of a sample. Positions within 1/1024 of a sample become that
// sample, so that the rounding of floats hides no pixel that stays in place.
static INLINE I fixedPoint(F distance)
{
    const I place = toInt(distance * 4096.0f + 0.5f), nearby = place + 4;
    return choose((nearby & 4095) <= I(8), nearby & ~4095, place);
}

static void findPlaces(
    const float *x, const float *y, int32_t width, int32_t height, uint32_t *samples, uint32_t *weights,
    uint8_t *isCopy, int32_t count)
{
    const float right = (float)width - 0.5f, bottom = (float)height - 0.5f;
    for (int32_t i = 0; i < count; i += 16) {
        U differences = U(0u);
        for (int32_t k = i; k < i + 16; k += LANES) {
            const F px = load(x + k), py = load(y + k);
            const F column = choose(px == px, clamp(px, 0.5f, right) - 0.5f, F(0.0f));
            const F line = choose(py == py, clamp(py, 0.5f, bottom) - 0.5f, F(0.0f));
            const I across = fixedPoint(column), down = fixedPoint(line);
            const I left = min(across >> 12, width - 2), upper = min(down >> 12, height - 2);
            const U sample = toUint(left | upper << 16);
            const U weight = toUint((across - (left << 12)) | (down - (upper << 12)) << 16);
            *(LooseU *)(samples + k) = sample;
            *(LooseU *)(weights + k) = weight;
            const I number = toInt(laneNumbers()) + k;
            const U neighbour = samples[i] + toUint(number - i);
            // Beyond the end of the row, places do not matter.
            differences |= choose(number < I(count), weight | (sample ^ neighbour), U(0u));
        }
        unsigned any = 0;
        for (int lane = 0; lane < LANES; lane++)
            any |= differences[lane];
        isCopy[i / 16] = any == 0;
    }
}

// Stores the first elements of a vector: all, or as many as are left of a row.
template<class V> static INLINE void storeFirst(void *result, V values, int32_t left)
{
    if (left >= LANES)
        __builtin_memcpy(result, &values, sizeof(V));
    else
        __builtin_memcpy(result, &values, sizeof(V) / LANES * (unsigned)left);
}

// The places of `LANES` results.
struct WarpedLanes {
    I column, row;
    // The weights of the right and of the lower samples, from 0 to 1.
    F right, lower;
    INLINE WarpedLanes(const PipPlaces &places, int32_t i)
    {
        const U samples = *(const LooseU *)(places.samples + i), weights = *(const LooseU *)(places.weights + i);
        column = toInt(samples & 0xffffu);
        row = toInt(samples >> 16u);
        right = toFloat(toInt(weights & 0xffffu)) * (1.0f / 4096.0f);
        lower = toFloat(toInt(weights >> 16u)) * (1.0f / 4096.0f);
    }
    // Interpolates between four samples of 0 to 255.
    INLINE F mean(U upperLeft, U upperRight, U lowerLeft, U lowerRight) const
    {
        const F a = toFloat(toInt(upperLeft)), b = toFloat(toInt(lowerLeft));
        const F above = a + (toFloat(toInt(upperRight)) - a) * right;
        const F below = b + (toFloat(toInt(lowerRight)) - b) * right;
        return above + (below - above) * lower;
    }
    // Interpolates, and rounds to a whole number.
    INLINE I between(U upperLeft, U upperRight, U lowerLeft, U lowerRight) const
    {
        return toInt(mean(upperLeft, upperRight, lowerLeft, lowerRight) + 0.5f);
    }
};

// Reads a sample and the next one for each lane.
static INLINE U neighboursAt(const uint8_t *first, const Offsets &offsets)
{
    Halves neighbours;
    for (int lane = 0; lane < LANES; lane++)
        neighbours[lane] = *(const LooseHalf *)(const void *)(first + offsets.lanes[lane]);
    return __builtin_convertvector(neighbours, U);
}

// Reads a pair of samples and the next pair for each lane.
static INLINE U pairsOfLanes(const uint8_t *first, const Offsets &offsets)
{
    U pairs;
    for (int lane = 0; lane < LANES; lane++)
        pairs[lane] = *(const LooseWord *)(const void *)(first + offsets.lanes[lane]);
    return pairs;
}

// Interpolates a plane of samples that are next to each other.
static INLINE I warped(const PipSamples &plane, const WarpedLanes &lanes)
{
    const Offsets offsets = lanes.row * plane.stride + lanes.column;
    const U upper = neighboursAt(plane.first, offsets);
    const U lower = neighboursAt(plane.first + plane.stride, offsets);
    return lanes.between(upper & 255u, upper >> 8u, lower & 255u, lower >> 8u);
}

static void warp(const PipSamples *plane, const PipPlaces *places, uint8_t *result, int32_t count)
{
    const PipSamples own = *plane;
    const PipPlaces at = *places;
    for (int32_t i = 0; i < count; i += LANES)
        storeFirst(result + i, __builtin_convertvector(warped(own, WarpedLanes(at, i)), Bytes), count - i);
}

static void warpToFloats(const PipSamples *plane, const PipPlaces *places, float *result, int32_t count)
{
    const PipSamples own = *plane;
    const PipPlaces at = *places;
    for (int32_t i = 0; i < count; i += LANES) {
        const WarpedLanes lanes(at, i);
        const Offsets offsets = lanes.row * own.stride + lanes.column * own.step;
        U samples[4];
        for (int lane = 0; lane < LANES; lane++) {
            const uint8_t *upper = own.first + offsets.lanes[lane], *lower = upper + own.stride;
            samples[0][lane] = upper[0];
            samples[1][lane] = upper[own.step];
            samples[2][lane] = lower[0];
            samples[3][lane] = lower[own.step];
        }
        store(result + i, lanes.mean(samples[0], samples[1], samples[2], samples[3]));
    }
}

template<bool areInPairs, bool becomePairs>
static void warpPairsLoop(
    const PipSamples *planes, const PipPlaces *places, const PipSamples *results, int32_t count)
{
    const PipSamples one = planes[0], other = planes[1], result = results[0], otherResult = results[1];
    const PipPlaces at = *places;
    // The component that comes first in a pair is in the lower byte.
    const bool isSecond = areInPairs && other.first < one.first;
    const bool becomesSecond = becomePairs && otherResult.first < result.first;
    for (int32_t i = 0; i < count; i += LANES) {
        const WarpedLanes lanes(at, i);
        I first, second;
        if constexpr (areInPairs) {
            const Offsets offsets = lanes.row * one.stride + lanes.column * 2;
            const uint8_t *pairs = isSecond ? other.first : one.first;
            const U a = pairsOfLanes(pairs, offsets), b = pairsOfLanes(pairs + one.stride, offsets);
            const I low = lanes.between(a & 255u, a >> 16u & 255u, b & 255u, b >> 16u & 255u);
            const I high = lanes.between(a >> 8u & 255u, a >> 24u, b >> 8u & 255u, b >> 24u);
            first = isSecond ? high : low;
            second = isSecond ? low : high;
        } else {
            first = warped(one, lanes);
            second = warped(other, lanes);
        }
        if constexpr (becomePairs) {
            const I pairs = becomesSecond ? second | first << 8 : first | second << 8;
            uint8_t *start = becomesSecond ? otherResult.first : result.first;
            storeFirst(start + 2 * i, __builtin_convertvector(pairs, Halves), count - i);
        } else {
            storeFirst(result.first + i, __builtin_convertvector(first, Bytes), count - i);
            storeFirst(otherResult.first + i, __builtin_convertvector(second, Bytes), count - i);
        }
    }
}

static void warpPairs(
    const PipSamples *planes, const PipPlaces *places, const PipSamples *results, int32_t count)
{
    if (planes->step == 2)
        results->step == 2 ? warpPairsLoop<true, true>(planes, places, results, count)
                           : warpPairsLoop<true, false>(planes, places, results, count);
    else
        results->step == 2 ? warpPairsLoop<false, true>(planes, places, results, count)
                           : warpPairsLoop<false, false>(planes, places, results, count);
}

template<int step, int resultStep>
static void copySteps(const uint8_t *__restrict bytes, uint8_t *__restrict result, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        result[i * resultStep] = bytes[i * step];
}

static void copyPairs(const PipSamples *samples, const PipSamples *results, int32_t count)
{
    const int32_t step = samples->step, resultStep = results->step;
    if (step == 2 && resultStep == 2 && samples[1].first - samples[0].first == results[1].first - results[0].first) {
        const int first = samples[1].first < samples[0].first;
        __builtin_memcpy(results[first].first, samples[first].first, 2 * (unsigned)count);
        return;
    }
    auto copy = step == 2 ? (resultStep == 2 ? copySteps<2, 2> : copySteps<2, 1>)
                          : (resultStep == 2 ? copySteps<1, 2> : copySteps<1, 1>);
    for (int k = 0; k < 2; k++)
        copy(samples[k].first, results[k].first, count);
}
