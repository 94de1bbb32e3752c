// Vectors of 16-bit numbers, and of the bytes that they are made of: twice as many as a vector of numbers holds.
//
// Scalar code has the plain loops that all instruction sets are compared with.
#define PIP_SHORTS (LANES >= 8 ? 16 : 8)
typedef int16_t Signed __attribute__((ext_vector_type(PIP_SHORTS)));
typedef int16_t LooseSigned __attribute__((ext_vector_type(PIP_SHORTS), aligned(1)));
typedef uint16_t Unsigned __attribute__((ext_vector_type(PIP_SHORTS)));
typedef uint16_t LooseUnsigned __attribute__((ext_vector_type(PIP_SHORTS), aligned(2)));
typedef uint8_t HalfBytes __attribute__((ext_vector_type(PIP_SHORTS)));
typedef uint8_t LooseHalfBytes __attribute__((ext_vector_type(PIP_SHORTS), aligned(1)));
typedef uint8_t WholeBytes __attribute__((ext_vector_type(2 * PIP_SHORTS)));
typedef uint8_t LooseWholeBytes __attribute__((ext_vector_type(2 * PIP_SHORTS), aligned(1)));

#if LANES >= 8
typedef __m256i Register;
#define PIP_INSTRUCTION(NAME) _mm256_##NAME
#elif defined(__SSE2__) && LANES == 4
typedef __m128i Register;
#define PIP_INSTRUCTION(NAME) _mm_##NAME
#endif

template<class V> struct Widened;
template<> struct Widened<Signed> { typedef int32_t Products __attribute__((ext_vector_type(PIP_SHORTS))); };
template<> struct Widened<Unsigned> { typedef uint32_t Products __attribute__((ext_vector_type(PIP_SHORTS))); };

// The upper halves of products. The compiler knows the instruction only where it converts both factors in the same
// block.
template<class V> static INLINE V productOf(V a, V b)
{
#ifdef PIP_INSTRUCTION
    const Register x = __builtin_bit_cast(Register, a), y = __builtin_bit_cast(Register, b);
    return __builtin_bit_cast(
        V, __is_same(V, Signed) ? PIP_INSTRUCTION(mulhi_epi16)(x, y) : PIP_INSTRUCTION(mulhi_epu16)(x, y));
#else
    typedef typename Widened<V>::Products Products;
    return __builtin_convertvector(
        __builtin_convertvector(a, Products) * __builtin_convertvector(b, Products) >> 16, V);
#endif
}

// Interleaves bytes in each part of 128 bits, as one instruction does.
#if LANES >= 8
#define PIP_LOW_BYTES 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18, 50, 19, 51, 20, 52, \
    21, 53, 22, 54, 23, 55
#define PIP_HIGH_BYTES 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, 26, 58, 27, 59, \
    28, 60, 29, 61, 30, 62, 31, 63
#else
#define PIP_LOW_BYTES 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define PIP_HIGH_BYTES 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#endif
static INLINE WholeBytes lowBytes(WholeBytes a, WholeBytes b)
{
    return __builtin_shufflevector(a, b, PIP_LOW_BYTES);
}
static INLINE WholeBytes highBytes(WholeBytes a, WholeBytes b)
{
    return __builtin_shufflevector(a, b, PIP_HIGH_BYTES);
}
#undef PIP_LOW_BYTES
#undef PIP_HIGH_BYTES
