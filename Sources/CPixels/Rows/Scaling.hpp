// Loops that reduce planes of bytes, in fixed point.
typedef int16_t Shorts __attribute__((ext_vector_type(8)));
typedef int16_t LooseShorts __attribute__((ext_vector_type(8), aligned(2)));
typedef int32_t FourSums __attribute__((ext_vector_type(4)));
// Four 16-bit numbers are loaded as a double: there is an instruction for two of these.
typedef double LooseFourShorts __attribute__((aligned(2)));
typedef double EightShorts __attribute__((ext_vector_type(2)));

// MARK: Rows

// Adds bytes, multiplied by a weight, in 256ths, to two vectors of sums. Each byte becomes the upper half of a number.
static INLINE void addProducts(const uint8_t *bytes, Unsigned weight, Unsigned &first, Unsigned &second)
{
    const WholeBytes none = WholeBytes(0);
    WholeBytes b = *(const LooseWholeBytes *)(const void *)bytes;
#if LANES >= 8
    typedef int64_t Quarters __attribute__((ext_vector_type(4)));
    const Quarters quarters = __builtin_bit_cast(Quarters, b);
    b = __builtin_bit_cast(WholeBytes, __builtin_shufflevector(quarters, quarters, 0, 2, 1, 3));
#endif
    first += productOf(__builtin_bit_cast(Unsigned, lowBytes(none, b)), weight);
    second += productOf(__builtin_bit_cast(Unsigned, highBytes(none, b)), weight);
}

template<bool isFirst>
static INLINE void addRow(const uint8_t *bytes, uint16_t weight, uint16_t start, uint16_t *sums, int32_t count)
{
    const Unsigned own = Unsigned(weight);
    int32_t i = 0;
    for (; i + 2 * PIP_SHORTS <= count; i += 2 * PIP_SHORTS) {
        LooseUnsigned *place = (LooseUnsigned *)(void *)(sums + i);
        Unsigned first = isFirst ? Unsigned(start) : Unsigned(place[0]);
        Unsigned second = isFirst ? Unsigned(start) : Unsigned(place[1]);
        addProducts(bytes + i, own, first, second);
        place[0] = first, place[1] = second;
    }
    for (; i < count; i++)
        sums[i] = (uint16_t)((isFirst ? start : sums[i]) + ((uint32_t)bytes[i] * weight >> 8));
}

// Rows are read one after the other, for which processors prefetch by themselves: rows that are read side by side take up
// to four times as long from memory. The sums stay in the cache.
static void sumOfRows(
    const uint8_t *const *rows, const uint16_t *weights, int32_t taps, int32_t bias, int16_t *sums, int32_t count)
{
    // The sums begin at -32768, so that all of them fit into signed numbers, for which there are products.
    addRow<true>(rows[0], weights[0], (uint16_t)(32768 + bias), (uint16_t *)sums, count);
    for (int32_t tap = 1; tap < taps; tap++)
        addRow<false>(rows[tap], weights[tap], 0, (uint16_t *)sums, count);
}

// MARK: Columns

// Adds up neighbouring elements.
static INLINE FourSums pairsOf(FourSums a, FourSums b)
{
    return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

// Adds up neighbouring products.
static INLINE FourSums productsOf(Shorts a, Shorts b)
{
    typedef int32_t Products __attribute__((ext_vector_type(8)));
    const Products products = __builtin_convertvector(a, Products) * __builtin_convertvector(b, Products);
    return __builtin_shufflevector(products, products, 0, 2, 4, 6)
        + __builtin_shufflevector(products, products, 1, 3, 5, 7);
}

// Four numbers from each of two places.
static INLINE Shorts numbersAt(const int16_t *first, const int16_t *second)
{
    const auto four = [](const int16_t *place) INLINED { return *(const LooseFourShorts *)(const void *)place; };
    return __builtin_bit_cast(Shorts, EightShorts{four(first), four(second)});
}

// Four pairs of numbers, the first numbers of all pairs before the second ones.
static INLINE Shorts partsAt(const int16_t *first)
{
    const Shorts pairs = *(const LooseShorts *)(const void *)first;
    return __builtin_shufflevector(pairs, pairs, 0, 2, 4, 6, 1, 3, 5, 7);
}

// Computes four numbers: for pairs, those of two results.
template<int parts, int fixedTaps>
static INLINE FourSums fourMeans(const int16_t *sums, const PipColumns &columns, int32_t i)
{
    const int32_t taps = fixedTaps > 0 ? fixedTaps : columns.taps;
    const int32_t *starts = columns.starts + i / parts;
    const int16_t *weights = columns.weights + i * taps;
    FourSums low = FourSums(0), high = FourSums(0);
    for (int32_t tap = 0; tap < taps; tap += 4) {
        const Shorts firstWeights = *(const LooseShorts *)(const void *)(weights + 2 * tap);
        const Shorts secondWeights = *(const LooseShorts *)(const void *)(weights + 2 * (taps + tap));
        if constexpr (parts == 1) {
            low += productsOf(numbersAt(sums + starts[0] + tap, sums + starts[1] + tap), firstWeights);
            high += productsOf(numbersAt(sums + starts[2] + tap, sums + starts[3] + tap), secondWeights);
        } else {
            low += productsOf(partsAt(sums + 2 * (starts[0] + tap)), firstWeights);
            high += productsOf(partsAt(sums + 2 * (starts[1] + tap)), secondWeights);
        }
    }
    return (pairsOf(low, high) + columns.offset) >> columns.shift;
}

#if LANES >= 8
// Computes eight numbers of four taps each, by an instruction that takes the taps of two numbers out of eight sums.
static INLINE __m128i eightMeans(const int16_t *sums, const PipColumns &columns, int32_t i)
{
    const int32_t *starts = columns.starts + i;
    const auto sumsOf = [&](int32_t k) INLINED {
        const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)(sums + starts[k]));
        const __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(sums + starts[k + 2]));
        const __m256i *order = (const __m256i *)(const void *)(columns.orders + 8 * (i + k));
        const __m256i *weights = (const __m256i *)(const void *)(columns.weights + 4 * (i + k));
        const __m256i all = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
        return _mm256_madd_epi16(_mm256_shuffle_epi8(all, _mm256_loadu_si256(order)), _mm256_loadu_si256(weights));
    };
    // The numbers 0, 1, 4 and 5, and then 2, 3, 6 and 7.
    const __m256i numbers = _mm256_hadd_epi32(sumsOf(0), sumsOf(4));
    const __m256i means = _mm256_srl_epi32(
        _mm256_add_epi32(numbers, _mm256_set1_epi32(columns.offset)), _mm_cvtsi32_si128(columns.shift));
    const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(means), _mm256_extracti128_si256(means, 1));
    return _mm_shufflelo_epi16(_mm_packus_epi16(words, words), 0xd8);
}
#endif

template<int parts, int taps>
static void meansOfColumnsLoop(const int16_t *sums, const PipColumns &columns, uint8_t *result, int32_t count)
{
    const int32_t last = count * parts;
    int32_t i = 0;
#if LANES >= 8
    if constexpr (parts == 1 && taps == 4)
        for (; i + 8 <= last; i += 8)
            _mm_storel_epi64((__m128i *)(void *)(result + i), eightMeans(sums, columns, i));
#endif
    for (; i < last; i += 4) {
        typedef uint8_t FourBytes __attribute__((ext_vector_type(4)));
        const FourBytes means = __builtin_convertvector((fourMeans<parts, taps>(sums, columns, i)), FourBytes);
        if (i + 4 <= last)
            __builtin_memcpy(result + i, &means, 4);
        else
            for (int32_t k = 0; i + k < last; k++)
                result[i + k] = means[k];
    }
}

static void meansOfColumns(const int16_t *sums, const PipColumns *columns, uint8_t *result, int32_t count)
{
    const PipColumns own = *columns;
    if (own.parts == 1)
        return own.taps == 4 ? meansOfColumnsLoop<1, 4>(sums, own, result, count)
                             : meansOfColumnsLoop<1, 0>(sums, own, result, count);
    return own.taps == 4 ? meansOfColumnsLoop<2, 4>(sums, own, result, count)
                         : meansOfColumnsLoop<2, 0>(sums, own, result, count);
}
