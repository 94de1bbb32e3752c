// GLSL's types and functions for `LANES` pixels at once, included once for each instruction set, within a namespace.
//
// A value that is the same for all pixels is a plain number, so that loops and branches on it are plain C++. A value
// that differs from pixel to pixel is a vector of lanes. The compiler neither contracts nor reorders operations: every
// instruction set gives the same bits.
//
// The functions have no debug information, like intrinsics: it would be a quarter of the program.
#define UNTRACED __attribute__((nodebug))
#define INLINED UNTRACED __attribute__((always_inline))
#define INLINE inline INLINED

typedef float F __attribute__((ext_vector_type(LANES)));
typedef int32_t I __attribute__((ext_vector_type(LANES)));
typedef uint32_t U __attribute__((ext_vector_type(LANES)));
typedef float LooseF __attribute__((ext_vector_type(LANES), aligned(4)));
typedef uint32_t LooseU __attribute__((ext_vector_type(LANES), aligned(4)));

INLINE F load(const float *numbers) { return *(const LooseF *)numbers; }
INLINE void store(float *numbers, F value) { *(LooseF *)numbers = value; }

// The index of each lane, from 0.
INLINE F laneNumbers()
{
    F numbers;
    for (int lane = 0; lane < LANES; lane++)
        numbers[lane] = (float)lane;
    return numbers;
}

// MARK: Kinds of numbers

template<class T> struct Kind;
template<> struct Kind<float> { typedef F Lanes; static constexpr bool isScalar = true; };
template<> struct Kind<int> { typedef I Lanes; static constexpr bool isScalar = true; };
template<> struct Kind<unsigned> { typedef U Lanes; static constexpr bool isScalar = true; };
template<> struct Kind<bool> { typedef I Lanes; static constexpr bool isScalar = true; };
template<> struct Kind<F> { typedef F Lanes; static constexpr bool isScalar = false; };
template<> struct Kind<I> { typedef I Lanes; static constexpr bool isScalar = false; };
template<> struct Kind<U> { typedef U Lanes; static constexpr bool isScalar = false; };

template<class T> concept Number = requires { typename Kind<T>::Lanes; };

// The type of a result of two types: lanes if one of the types is lanes.
template<class A, class B> struct BothOf { typedef typename Kind<A>::Lanes Type; };
template<class A> requires (Kind<A>::isScalar) struct BothOf<A, A> { typedef A Type; };
template<class A, class B> using Both = typename BothOf<A, B>::Type;

INLINE F toFloat(F v) { return v; }
INLINE F toFloat(I v) { return __builtin_convertvector(v, F); }
INLINE F toFloat(U v) { return __builtin_convertvector(v, F); }
INLINE float toFloat(float v) { return v; }
INLINE float toFloat(int v) { return (float)v; }
INLINE float toFloat(unsigned v) { return (float)v; }
INLINE I toInt(F v) { return __builtin_convertvector(v, I); }
INLINE I toInt(I v) { return v; }
INLINE I toInt(U v) { return __builtin_convertvector(v, I); }
INLINE int toInt(float v) { return (int)v; }
INLINE int toInt(int v) { return v; }
INLINE int toInt(unsigned v) { return (int)v; }
INLINE U toUint(F v) { return __builtin_convertvector(v, U); }
INLINE U toUint(I v) { return __builtin_convertvector(v, U); }
INLINE U toUint(U v) { return v; }
INLINE unsigned toUint(float v) { return (unsigned)v; }
INLINE unsigned toUint(int v) { return (unsigned)v; }
INLINE unsigned toUint(unsigned v) { return v; }

// MARK: Masks, -1 in each lane that is meant

INLINE I maskOf(bool v) { return I(v ? -1 : 0); }
INLINE I maskOf(I v) { return v; }
INLINE I both(I a, I b) { return a & b; }
INLINE I either(I a, I b) { return a | b; }
INLINE I both(bool a, I b) { return maskOf(a) & b; }
INLINE I both(I a, bool b) { return a & maskOf(b); }
INLINE bool both(bool a, bool b) { return a && b; }
INLINE I either(bool a, I b) { return maskOf(a) | b; }
INLINE I either(I a, bool b) { return a | maskOf(b); }
INLINE bool either(bool a, bool b) { return a || b; }
INLINE I notOf(I v) { return ~v; }
INLINE bool notOf(bool v) { return !v; }

INLINE F choose(I mask, F a, F b) { return mask ? a : b; }
INLINE I choose(I mask, I a, I b) { return mask ? a : b; }
INLINE U choose(I mask, U a, U b) { return mask ? a : b; }
template<Number A, Number B> INLINE auto select(I mask, A a, B b)
{
    typedef typename Kind<A>::Lanes Lanes;
    return choose(mask, Lanes(a), Lanes(b));
}
template<Number A, Number B> INLINE auto select(bool which, A a, B b)
{
    typedef Both<A, B> Result;
    return which ? Result(a) : Result(b);
}

// MARK: Numbers

template<Number A, Number B> INLINE auto min(A a, B b) { return select(b < a, b, a); }
template<Number A, Number B> INLINE auto max(A a, B b) { return select(b > a, b, a); }
#ifdef LANES_ARE_NEON
// NEON's minimum and maximum take one instruction in place of two. They differ from a choice for zeros of different
// signs, and where only the second number is NaN: so the second number must be known, and be neither.
INLINE bool isKnown(float v) { return __builtin_constant_p(v) && v == v && v != 0.0f; }
INLINE bool isKnown(F v) { return isKnown(v[0]) && isKnown(v[1]) && isKnown(v[2]) && isKnown(v[3]); }
INLINE F min(F a, F b) { return isKnown(b) ? F(vminq_f32(a, b)) : choose(b < a, b, a); }
INLINE F max(F a, F b) { return isKnown(b) ? F(vmaxq_f32(a, b)) : choose(b > a, b, a); }
INLINE F min(F a, float b) { return min(a, F(b)); }
INLINE F max(F a, float b) { return max(a, F(b)); }
#endif
INLINE F abs(F v) { return __builtin_elementwise_abs(v); }
INLINE I abs(I v) { return __builtin_elementwise_abs(v); }
INLINE float abs(float v) { return __builtin_elementwise_abs(v); }
INLINE int abs(int v) { return v < 0 ? -v : v; }
INLINE F sqrt(F v) { return __builtin_elementwise_sqrt(v); }
INLINE float sqrt(float v) { return __builtin_elementwise_sqrt(v); }
INLINE F floor(F v)
{
#ifdef LANES_HAVE_FLOOR
    return __builtin_elementwise_floor(v);
#else
    // Floats of 2^23 and more are whole numbers.
    F whole = toFloat(toInt(v));
    whole = whole - choose(whole > v, F(1.0f), F(0.0f));
    return choose(abs(v) < F(8388608.0f), whole, v);
#endif
}
INLINE F sign(F v) { return choose(v > F(0.0f), F(1.0f), choose(v < F(0.0f), F(-1.0f), F(0.0f))); }
INLINE F exp2(F v)
{
    v = min(max(v, F(-126.0f)), F(127.0f));
    F whole = floor(v + 0.5f), part = v - whole;
    F p = F(1.535336188e-4f);
    p = p * part + 1.339887440e-3f;
    p = p * part + 9.618437358e-3f;
    p = p * part + 5.550332471e-2f;
    p = p * part + 2.402264791e-1f;
    p = p * part + 6.931472029e-1f;
    p = p * part + 1.0f;
    return p * __builtin_bit_cast(F, (toInt(whole) + 127) << 23);
}
INLINE F log2(F v)
{
    I bits = __builtin_bit_cast(I, max(v, F(1.17549435e-38f)));
    I exponent = (bits - 0x3f3504f3) >> 23;
    F mantissa = __builtin_bit_cast(F, bits - (exponent << 23));
    F s = (mantissa - 1.0f) / (mantissa + 1.0f), q = s * s;
    F p = F(0.3205989f);
    p = p * q + 0.41219859f;
    p = p * q + 0.57707802f;
    p = p * q + 0.96179669f;
    p = p * q + 2.8853900f;
    return p * s + toFloat(exponent);
}
INLINE F exp(F v) { return exp2(v * 1.44269504f); }
INLINE F log(F v) { return log2(v) * 0.69314718f; }
INLINE F powLanes(F a, F b) { return exp2(b * log2(a)); }
template<Number A, Number B> INLINE auto pow(A a, B b)
{
    if constexpr (Kind<A>::isScalar && Kind<B>::isScalar)
        return (float)powLanes(F(a), F(b))[0];
    else
        return powLanes(F(a), F(b));
}
// The sine for angles from -π/2 to π/2.
INLINE F sineOf(F r)
{
    F q = r * r;
    F p = F(-2.3868346e-8f);
    p = p * q + 2.7525562e-6f;
    p = p * q - 1.9840874e-4f;
    p = p * q + 8.3333315e-3f;
    p = p * q - 1.6666667e-1f;
    return r + r * q * p;
}
INLINE F sin(F v)
{
    F turns = floor(v * 0.318309886f + 0.5f);
    F rest = (v - turns * 3.140625f) - turns * 9.67653590e-4f;
    return __builtin_bit_cast(F, __builtin_bit_cast(I, sineOf(rest)) ^ (toInt(turns) << 31));
}
INLINE F cos(F v)
{
    F turns = floor(v * 0.318309886f) + 0.5f;
    F rest = (v - turns * 3.140625f) - turns * 9.67653590e-4f;
    return __builtin_bit_cast(F, __builtin_bit_cast(I, sineOf(rest)) ^ (~toInt(turns - 0.5f) << 31));
}
INLINE F arctangent(F y, F x)
{
    F across = abs(x), up = abs(y), most = max(across, up), least = min(across, up);
    F a = least / max(most, F(1e-30f)), q = a * a;
    F p = F(0.0028662257f);
    p = p * q - 0.0161657367f;
    p = p * q + 0.0429096138f;
    p = p * q - 0.0752896400f;
    p = p * q + 0.1065626393f;
    p = p * q - 0.1420889944f;
    p = p * q + 0.1999355085f;
    p = p * q - 0.3333314528f;
    F angle = a + a * q * p;
    angle = choose(up > across, 1.57079633f - angle, angle);
    angle = choose(x < F(0.0f), 3.14159265f - angle, angle);
    return choose(y < F(0.0f), -angle, angle);
}
template<Number A, Number B> INLINE auto atan(A y, B x)
{
    if constexpr (Kind<A>::isScalar && Kind<B>::isScalar)
        return (float)arctangent(F(y), F(x))[0];
    else
        return arctangent(F(y), F(x));
}
// Defines a function of a plain number.
#define SCALAR(NAME) INLINE float NAME(float v) { return NAME(F(v))[0]; }
SCALAR(floor) SCALAR(sign) SCALAR(exp2) SCALAR(log2) SCALAR(exp) SCALAR(log) SCALAR(sin) SCALAR(cos)
#undef SCALAR
template<Number T> INLINE T inversesqrt(T v) { return 1.0f / sqrt(v); }
template<Number T> INLINE T ceil(T v) { return -floor(-v); }
template<Number T> INLINE T fract(T v) { return v - floor(v); }
template<Number A, Number B> INLINE auto mod(A a, B b) { return a - b * floor(a / b); }
template<Number A, Number B, Number C> INLINE auto clamp(A v, B low, C high) { return min(max(v, low), high); }
template<Number A, Number B, Number C> INLINE auto mixOf(A a, B b, C share) { return a + (b - a) * share; }
template<Number A, Number B> INLINE auto step(A edge, B v) { return select(v < edge, 0.0f, 1.0f); }
// A division of integers must not stop the program, as in GLSL: a divisor of 0 counts as 1.
template<Number A> static constexpr bool isFloat = __is_same(typename Kind<A>::Lanes, F);
INLINE I negated(I v) { return __builtin_bit_cast(I, U(0u) - __builtin_bit_cast(U, v)); }
INLINE int negated(int v) { return (int)(0u - (unsigned)v); }
INLINE U negated(U v) { return v; }
INLINE unsigned negated(unsigned v) { return v; }
// Divides lanes by a plain number, by a product of floats where possible: no instruction set divides vectors of
// integers.
INLINE I wholes(I a, int b)
{
    if (b == 0)
        return a;
    if (b == -1)
        return negated(a);
    const I size = abs(a);
    // Floats represent every integer below 2^23, and the product is off by one at most.
    if (!__builtin_reduce_and((size >= I(0)) & (size < I(1 << 23))) || b == INT32_MIN)
        return a / I(b);
    const int divisor = abs(b);
    I result = toInt(toFloat(size) * (1.0f / (float)divisor));
    const I rest = size - result * divisor;
    result = result + (rest < I(0)) - (rest >= I(divisor));
    return choose((a < I(0)) ^ I(b < 0 ? -1 : 0), negated(result), result);
}
template<Number A, Number B> INLINE auto quotient(A a, B b)
{
    if constexpr (isFloat<A> && isFloat<B> && !Kind<A>::isScalar && Kind<B>::isScalar) {
        // A product takes a fraction of a division's time.
        return a * (1.0f / b);
    } else if constexpr (isFloat<A> || isFloat<B>) {
        return a / b;
    } else if constexpr (__is_same(A, I) && __is_same(B, int)) {
        return wholes(a, b);
    } else {
        typedef Both<A, B> Own;
        const Own value = Own(a), divisor = Own(b);
        const auto isLess = divisor == Own(-1);
        const Own result = value / select(either(divisor == Own(0), isLess), Own(1), divisor);
        return select(isLess, negated(value), result);
    }
}
template<Number A, Number B> INLINE auto remainder(A a, B b)
{
    if constexpr (__is_same(A, I) && __is_same(B, int)) {
        return b == 0 ? I(0) : a - wholes(a, b) * b;
    } else {
        typedef Both<A, B> Own;
        const Own divisor = Own(b);
        return Own(a) % select(either(divisor == Own(0), divisor == Own(-1)), Own(1), divisor);
    }
}
template<Number A, Number B, Number C> INLINE auto smoothstep(A low, B high, C v)
{
    auto t = clamp(quotient(v - low, high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}
template<Number T> INLINE auto isnan(T v) { return v != v; }
INLINE F radians(F v) { return v * 0.0174532925f; }

// MARK: Vectors

template<class T, int N> struct Vec;
template<class T> struct Vec<T, 2> {
    T x, y;
    template<int K> INLINE T part() const { return K == 0 ? x : y; }
};
template<class T> struct Vec<T, 3> {
    T x, y, z;
    template<int K> INLINE T part() const { return K == 0 ? x : K == 1 ? y : z; }
};
template<class T> struct Vec<T, 4> {
    T x, y, z, w;
    template<int K> INLINE T part() const { return K == 0 ? x : K == 1 ? y : K == 2 ? z : w; }
};

// The component at an index that is known at run time only.
template<class T, int N> INLINE T at(const Vec<T, N> &v, int index)
{
    if constexpr (N == 2)
        return index == 0 ? v.x : v.y;
    else if constexpr (N == 3)
        return index == 0 ? v.x : index == 1 ? v.y : v.z;
    else
        return index == 0 ? v.x : index == 1 ? v.y : index == 2 ? v.z : v.w;
}

template<int N, class M> INLINE auto each(M make)
{
    if constexpr (N == 2) {
        auto x = make.template operator()<0>();
        auto y = make.template operator()<1>();
        return Vec<decltype(x), 2>{x, y};
    } else if constexpr (N == 3) {
        auto x = make.template operator()<0>();
        auto y = make.template operator()<1>();
        auto z = make.template operator()<2>();
        return Vec<decltype(x), 3>{x, y, z};
    } else {
        auto x = make.template operator()<0>();
        auto y = make.template operator()<1>();
        auto z = make.template operator()<2>();
        auto w = make.template operator()<3>();
        return Vec<decltype(x), 4>{x, y, z, w};
    }
}

// Converts a value to the type of a variable: lanes or plain numbers.
template<class To, Number From> INLINE To as(From v) { return To(v); }
template<class To, class T, int N> INLINE To as(const Vec<T, N> &v)
{
    typedef decltype(To::x) Part;
    return each<N>([&]<int K>() INLINED { return Part(v.template part<K>()); });
}

template<int... K, class T, int N> INLINE auto swizzle(const Vec<T, N> &v)
{
    return Vec<T, sizeof...(K)>{v.template part<K>()...};
}

#define OPERATOR(OP)                                                                                              \
    template<class A, class B, int N> INLINE auto operator OP(const Vec<A, N> &a, const Vec<B, N> &b)              \
    {                                                                                                             \
        return each<N>([&]<int K>() INLINED { return a.template part<K>() OP b.template part<K>(); });              \
    }                                                                                                             \
    template<class A, Number B, int N> INLINE auto operator OP(const Vec<A, N> &a, B b)                            \
    {                                                                                                             \
        return each<N>([&]<int K>() INLINED { return a.template part<K>() OP b; });                                 \
    }                                                                                                             \
    template<Number A, class B, int N> INLINE auto operator OP(A a, const Vec<B, N> &b)                            \
    {                                                                                                             \
        return each<N>([&]<int K>() INLINED { return a OP b.template part<K>(); });                                 \
    }
OPERATOR(+) OPERATOR(-) OPERATOR(*) OPERATOR(/) OPERATOR(%) OPERATOR(&) OPERATOR(|) OPERATOR(^) OPERATOR(<<) OPERATOR(>>)
#undef OPERATOR
template<class T, int N> INLINE auto operator-(const Vec<T, N> &v)
{
    return each<N>([&]<int K>() INLINED { return -v.template part<K>(); });
}

// Defines a function that applies to each component of a vector.
#define ONE(NAME)                                                                                                 \
    template<class T, int N> INLINE auto NAME(const Vec<T, N> &v)                                                  \
    {                                                                                                             \
        return each<N>([&]<int K>() INLINED { return NAME(v.template part<K>()); });                                \
    }
ONE(abs) ONE(floor) ONE(ceil) ONE(fract) ONE(sqrt) ONE(inversesqrt) ONE(exp) ONE(exp2) ONE(log) ONE(log2) ONE(sin) ONE(cos)
ONE(sign) ONE(isnan) ONE(notOf)
#undef ONE

// The component `K` of a vector; a single number stands for all components.
template<int K, Number T> INLINE T partOf(T v) { return v; }
template<int K, class T, int N> INLINE T partOf(const Vec<T, N> &v) { return v.template part<K>(); }
template<class T> struct SizeOf { static constexpr int value = 0; };
template<class T, int N> struct SizeOf<Vec<T, N>> { static constexpr int value = N; };
template<class A, class B> static constexpr int size2 = SizeOf<A>::value > SizeOf<B>::value ? SizeOf<A>::value : SizeOf<B>::value;

#define TWO(NAME)                                                                                                 \
    template<class A, class B> requires (size2<A, B> > 0) INLINE auto NAME(const A &a, const B &b)                 \
    {                                                                                                             \
        return each<size2<A, B>>([&]<int K>() INLINED { return NAME(partOf<K>(a), partOf<K>(b)); });                \
    }
TWO(min) TWO(max) TWO(mod) TWO(pow) TWO(step)
#undef TWO
#define THREE(NAME)                                                                                               \
    template<class A, class B, class C> requires (size2<A, C> > 0)                                                 \
    INLINE auto NAME(const A &a, const B &b, const C &c)                                                           \
    {                                                                                                             \
        return each<size2<A, C>>([&]<int K>() INLINED { return NAME(partOf<K>(a), partOf<K>(b), partOf<K>(c)); });  \
    }
THREE(clamp) THREE(mixOf) THREE(smoothstep)
#undef THREE
template<class M, class A, class B, int N> INLINE auto select(M mask, const Vec<A, N> &a, const Vec<B, N> &b)
{
    return each<N>([&]<int K>() INLINED { return select(mask, a.template part<K>(), b.template part<K>()); });
}
template<class M, class A, class B, int N> INLINE auto select(const Vec<M, N> &mask, const Vec<A, N> &a, const Vec<B, N> &b)
{
    return each<N>([&]<int K>() INLINED { return select(mask.template part<K>(), a.template part<K>(), b.template part<K>()); });
}
// GLSL's `mix`: interpolates by a number, or selects by a Boolean.
template<class A, class B, Number C> INLINE auto mix(const A &a, const B &b, C share)
{
    if constexpr (__is_same(C, I) || __is_same(C, bool))
        return select(share, b, a);
    else
        return mixOf(a, b, share);
}
template<class A, class B, class C, int N> INLINE auto mix(const A &a, const B &b, const Vec<C, N> &share)
{
    if constexpr (__is_same(C, I) || __is_same(C, bool))
        return select(share, b, a);
    else
        return mixOf(a, b, share);
}
#define COMPARE(NAME, OP)                                                                                         \
    template<class A, class B, int N> INLINE auto NAME(const Vec<A, N> &a, const Vec<B, N> &b)                     \
    {                                                                                                             \
        return each<N>([&]<int K>() INLINED { return a.template part<K>() OP b.template part<K>(); });              \
    }
COMPARE(lessThan, <) COMPARE(lessThanEqual, <=) COMPARE(greaterThan, >) COMPARE(greaterThanEqual, >=) COMPARE(equal, ==)
COMPARE(notEqual, !=)
#undef COMPARE
template<class T, int N> INLINE auto all(const Vec<T, N> &v)
{
    if constexpr (N == 2)
        return both(v.x, v.y);
    else if constexpr (N == 3)
        return both(both(v.x, v.y), v.z);
    else
        return both(both(v.x, v.y), both(v.z, v.w));
}
template<class T, int N> INLINE auto any(const Vec<T, N> &v)
{
    if constexpr (N == 2)
        return either(v.x, v.y);
    else if constexpr (N == 3)
        return either(either(v.x, v.y), v.z);
    else
        return either(either(v.x, v.y), either(v.z, v.w));
}
template<class A, class B, int N> INLINE auto operator==(const Vec<A, N> &a, const Vec<B, N> &b) { return all(equal(a, b)); }
template<class A, class B, int N> INLINE auto operator!=(const Vec<A, N> &a, const Vec<B, N> &b) { return notOf(all(equal(a, b))); }
template<class A, class B, int N> INLINE auto dot(const Vec<A, N> &a, const Vec<B, N> &b)
{
    if constexpr (N == 2)
        return a.x * b.x + a.y * b.y;
    else if constexpr (N == 3)
        return a.x * b.x + a.y * b.y + a.z * b.z;
    else
        return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template<class T, int N> INLINE auto length(const Vec<T, N> &v) { return sqrt(dot(v, v)); }
template<class A, class B, int N> INLINE auto distance(const Vec<A, N> &a, const Vec<B, N> &b) { return length(a - b); }
template<class T, int N> INLINE auto normalize(const Vec<T, N> &v) { return v * inversesqrt(dot(v, v)); }
template<class A, class B, int N> INLINE auto reflect(const Vec<A, N> &i, const Vec<B, N> &n) { return i - 2.0f * dot(n, i) * n; }
template<class A, class B, Number C, int N> INLINE auto refract(const Vec<A, N> &i, const Vec<B, N> &n, C eta)
{
    auto d = dot(n, i);
    auto k = 1.0f - eta * eta * (1.0f - d * d);
    auto bent = eta * i - (eta * d + sqrt(max(k, 0.0f))) * n;
    return select(k < 0.0f, bent * 0.0f, bent);
}

// Divides component by component.
template<class A, class B> requires (size2<A, B> > 0) INLINE auto quotient(const A &a, const B &b)
{
    return each<size2<A, B>>([&]<int K>() INLINED { return quotient(partOf<K>(a), partOf<K>(b)); });
}
template<class A, class B> requires (size2<A, B> > 0) INLINE auto remainder(const A &a, const B &b)
{
    return each<size2<A, B>>([&]<int K>() INLINED { return remainder(partOf<K>(a), partOf<K>(b)); });
}

// MARK: Constructors

template<class T> struct PartOf { typedef T Type; };
template<class T, int N> struct PartOf<Vec<T, N>> { typedef T Type; };
template<class T> static constexpr bool isLanes = !Kind<typename PartOf<T>::Type>::isScalar;

template<class P, class C, Number T> INLINE void append(P *parts, int &count, C convert, const T &number)
{
    parts[count++] = P(convert(number));
}
template<class P, class C, class T, int N> INLINE void append(P *parts, int &count, C convert, const Vec<T, N> &v)
{
    parts[count++] = P(convert(v.x));
    parts[count++] = P(convert(v.y));
    if constexpr (N > 2)
        parts[count++] = P(convert(v.z));
    if constexpr (N > 3)
        parts[count++] = P(convert(v.w));
}
// Makes a vector of the first `N` components of the arguments; a single number fills all components.
template<class P, int N, class C, class... A> INLINE auto build(C convert, const A &...arguments)
{
    P parts[16];
    int count = 0;
    (append(parts, count, convert, arguments), ...);
    if constexpr (sizeof...(A) == 1 && (SizeOf<A>::value + ...) == 0)
        return each<N>([&]<int K>() INLINED { return parts[0]; });
    else
        return each<N>([&]<int K>() INLINED { return parts[K]; });
}
template<int N, class... A> INLINE auto makeVec(const A &...a)
{
    if constexpr ((isLanes<A> || ...))
        return build<F, N>([](auto v) INLINED { return toFloat(v); }, a...);
    else
        return build<float, N>([](auto v) INLINED { return toFloat(v); }, a...);
}
template<int N, class... A> INLINE auto makeIVec(const A &...a)
{
    if constexpr ((isLanes<A> || ...))
        return build<I, N>([](auto v) INLINED { return toInt(v); }, a...);
    else
        return build<int, N>([](auto v) INLINED { return toInt(v); }, a...);
}
template<int N, class... A> INLINE auto makeUVec(const A &...a)
{
    if constexpr ((isLanes<A> || ...))
        return build<U, N>([](auto v) INLINED { return toUint(v); }, a...);
    else
        return build<unsigned, N>([](auto v) INLINED { return toUint(v); }, a...);
}

template<int N> struct Mat {
    Vec<float, N> columns[N];
};
template<class T> INLINE auto operator*(const Mat<3> &m, const Vec<T, 3> &v)
{
    return m.columns[0] * v.x + m.columns[1] * v.y + m.columns[2] * v.z;
}
template<class T> INLINE auto operator*(const Mat<2> &m, const Vec<T, 2> &v) { return m.columns[0] * v.x + m.columns[1] * v.y; }

// The element of an array at an index that differs from lane to lane.
template<class T, int N> INLINE T pick(const T (&elements)[N], I index)
{
    T found = elements[0];
    for (int k = 1; k < N; k++)
        found = as<T>(select(index == I(k), elements[k], found));
    return found;
}

typedef Vec<F, 2> LaneVec2;
typedef Vec<F, 3> LaneVec3;
typedef Vec<F, 4> LaneVec4;

// MARK: Pictures and tables

typedef float F4 __attribute__((ext_vector_type(4)));
typedef float LooseF4 __attribute__((ext_vector_type(4), aligned(4)));

template<class T, T... K> struct Numbers {};
#if LANES > 1
// Both functions work within each group of four lanes, and take two numbers of each vector, beginning at `from` (0 or
// 2). `zippedBy` takes the numbers in turn; `halvesBy` takes those of `a` first, then those of `b`.
template<int from, int... K> INLINE F zippedBy(F a, F b, Numbers<int, K...>)
{
    return __builtin_shufflevector(a, b, ((K % 2) * LANES + K / 4 * 4 + from + K % 4 / 2)...);
}
template<int from, int... K> INLINE F halvesBy(F a, F b, Numbers<int, K...>)
{
    return __builtin_shufflevector(a, b, (K % 4 / 2 * LANES + K / 4 * 4 + from + K % 2)...);
}
template<int from> INLINE F zipped(F a, F b) { return zippedBy<from>(a, b, __make_integer_seq<Numbers, int, LANES>{}); }
template<int from> INLINE F halves(F a, F b) { return halvesBy<from>(a, b, __make_integer_seq<Numbers, int, LANES>{}); }
#endif

// The position of each lane's pixel, in bytes from a picture's first byte.
struct Offsets {
    int32_t lanes[LANES];
    INLINE Offsets(I offsets)
    {
        __builtin_memcpy(lanes, &offsets, sizeof lanes);
#if LANES > 1
        // Reading lanes from memory takes fewer instructions than extracting them from a register.
        asm("" : "+m"(lanes));
#endif
    }
};

// Reads a group of four floats for each lane, and returns four vectors, one for each float of the group.
INLINE LaneVec4 quartersAt(const char *first, const Offsets &offsets)
{
    auto group = [&](int lane) INLINED { return *(const LooseF4 *)(const void *)(first + offsets.lanes[lane]); };
#if LANES == 1
    F4 only = group(0);
    return {F(only.x), F(only.y), F(only.z), F(only.w)};
#else
    // Vector k holds the groups of lane k and of every fourth lane after it.
    F rows[4];
#pragma clang loop unroll(full)
    for (int k = 0; k < 4; k++) {
#if LANES == 16
        auto lower = __builtin_shufflevector(group(k), group(k + 4), 0, 1, 2, 3, 4, 5, 6, 7);
        auto upper = __builtin_shufflevector(group(k + 8), group(k + 12), 0, 1, 2, 3, 4, 5, 6, 7);
        rows[k] = __builtin_shufflevector(lower, upper, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif LANES == 8
        rows[k] = __builtin_shufflevector(group(k), group(k + 4), 0, 1, 2, 3, 4, 5, 6, 7);
#else
        rows[k] = group(k);
#endif
    }
    const F a = zipped<0>(rows[0], rows[1]), b = zipped<0>(rows[2], rows[3]);
    const F c = zipped<2>(rows[0], rows[1]), d = zipped<2>(rows[2], rows[3]);
    return {halves<0>(a, b), halves<2>(a, b), halves<0>(c, d), halves<2>(c, d)};
#endif
}

// Two adjacent 32-bit words for each lane.
struct LanePair {
    U left, right;
};
template<int count> using Words = uint32_t __attribute__((ext_vector_type(count)));
template<int... K, class V> INLINE auto joined(V a, V b, Numbers<int, K...>)
{
    return __builtin_shufflevector(a, b, K...);
}
// Reads the pairs of words of `lanes` lanes, beginning with the lane `lane`, pair by pair.
template<int lane, int lanes> INLINE Words<2 * lanes> wordPairs(const char *first, const Offsets &offsets)
{
    if constexpr (lanes == 1) {
        Words<2> pair;
        __builtin_memcpy(&pair, first + offsets.lanes[lane], sizeof pair);
        return pair;
    } else {
        return joined(
            wordPairs<lane, lanes / 2>(first, offsets), wordPairs<lane + lanes / 2, lanes / 2>(first, offsets),
            __make_integer_seq<Numbers, int, 2 * lanes>{});
    }
}
template<int... K> INLINE LanePair parted(Words<2 * LANES> pairs, Numbers<int, K...>)
{
    return {
        __builtin_shufflevector(pairs, pairs, (2 * K)...), __builtin_shufflevector(pairs, pairs, (2 * K + 1)...)};
}
INLINE LanePair pairsAt(const char *first, const Offsets &offsets)
{
    return parted(wordPairs<0, LANES>(first, offsets), __make_integer_seq<Numbers, int, LANES>{});
}

INLINE U wordsFrom(const char *first) { return *(const LooseU *)(const void *)first; }

// True if the lanes are adjacent pixels of one row, from left to right.
INLINE bool areNeighbours(I x, I y)
{
    const I are = (y == I(y[0])) & (x == I(x[0]) + toInt(laneNumbers()));
#ifdef LANES_ARE_NEON
    return vminvq_u32((uint32x4_t)are) != 0;
#else
    return __builtin_reduce_and(are);
#endif
}

INLINE F byteAt(U words, int shift)
{
#ifdef LANES_ARE_NEON
    // A look-up shifts and clears in one instruction: an index beyond the 16 bytes yields 0.
    if (!__builtin_constant_p(shift) || (shift != 0 && shift != 24)) {
        const U places = (U{0, 4, 8, 12} + (unsigned)shift / 8) | 0xffffff00u;
        return toFloat(U(vqtbl1q_u8((uint8x16_t)words, (uint8x16_t)places)));
    }
#endif
    return toFloat(toInt(words >> (unsigned)shift & 255u));
}

// The positions of the components in a pixel of four bytes, in bits from the lowest.
struct WordOrder {
    int red, green, blue, alpha;
};

// Interpolates between four neighbouring pixels, in a picture of at least two columns.
//
// `column` and `line` are distances from the centre of the picture's first pixel. A pixel has four bytes, or four
// floats; `stride` is in bytes.
template<bool isFloat> INLINE LaneVec4 interpolated(
    const char *texels, int stride, int width, int height, const WordOrder &order, F column, F line)
{
    const I x = min(toInt(column), width - 2), y = max(min(toInt(line), height - 2), 0);
    const F right = column - toFloat(x), left = 1.0f - right;
    const F down = line - toFloat(y), up = 1.0f - down;
    const char *below = texels + (height > 1 ? stride : 0);
    if constexpr (isFloat) {
        const Offsets offsets = y * stride + x * 16;
        const char *next = texels + 16, *nextBelow = below + 16;
        return (quartersAt(texels, offsets) * left + quartersAt(next, offsets) * right) * up
            + (quartersAt(below, offsets) * left + quartersAt(nextBelow, offsets) * right) * down;
    } else {
        const float scale = 1.0f / 255.0f;
        LanePair a, b;
        if (areNeighbours(x, y)) {
            const char *left = texels + (int64_t)y[0] * stride + 4 * x[0], *lower = left + (below - texels);
            a = {wordsFrom(left), wordsFrom(left + 4)};
            b = {wordsFrom(lower), wordsFrom(lower + 4)};
        } else {
            const Offsets offsets = y * stride + x * 4;
            a = pairsAt(texels, offsets);
            b = pairsAt(below, offsets);
        }
        const F upper = up * scale, lower = down * scale;
        const F p = upper * left, q = upper * right, r = lower * left, s = lower * right;
        auto part = [&](int shift) INLINED {
            return (byteAt(a.left, shift) * p + byteAt(a.right, shift) * q)
                + (byteAt(b.left, shift) * r + byteAt(b.right, shift) * s);
        };
        return {part(order.red), part(order.green), part(order.blue), part(order.alpha)};
    }
}

INLINE LaneVec4 texelsAt(const PipTexture &texture, I x, I y)
{
    const char *first = (const char *)texture.texels;
    if (texture.isFloat)
        return quartersAt(first, y * texture.stride + x * 16);
    U words;
    if (areNeighbours(x, y)) {
        words = wordsFrom(first + (int64_t)y[0] * texture.stride + 4 * x[0]);
    } else {
        for (int lane = 0; lane < LANES; lane++)
            words[lane] = *(const uint32_t *)(const void *)(first + (int64_t)y[lane] * texture.stride + 4 * x[lane]);
    }
    const float scale = 1.0f / 255.0f;
    return {byteAt(words, 0) * scale, byteAt(words, 8) * scale, byteAt(words, 16) * scale, byteAt(words, 24) * scale};
}
INLINE Vec<float, 4> texelAt(const PipTexture &texture, int x, int y)
{
    const char *row = (const char *)texture.texels + (int64_t)y * texture.stride;
    if (texture.isFloat) {
        const float *texel = (const float *)(const void *)row + 4 * x;
        return {texel[0], texel[1], texel[2], texel[3]};
    }
    const uint8_t *texel = (const uint8_t *)row + 4 * x;
    const float scale = 1.0f / 255.0f;
    return {(float)texel[0] * scale, (float)texel[1] * scale, (float)texel[2] * scale, (float)texel[3] * scale};
}
// Clamps the position to the table, like robust buffer access: a lane beyond a row's last pixel may have any position.
INLINE LaneVec4 texelFetch(const PipTexture &texture, const Vec<I, 2> &place, int)
{
    return texelsAt(texture, clamp(place.x, 0, texture.width - 1), clamp(place.y, 0, texture.height - 1));
}
INLINE Vec<float, 4> texelFetch(const PipTexture &texture, const Vec<int, 2> &place, int)
{
    return texelAt(texture, clamp(place.x, 0, texture.width - 1), clamp(place.y, 0, texture.height - 1));
}
INLINE Vec<int, 2> textureSize(const PipTexture &texture, int) { return {texture.width, texture.height}; }

// The functions by which an effect reads the picture at any position.
struct PictureAccess {
    PipTexture picture;
    float map[6];
    Vec<float, 2> texel;
    // The column and the row in the picture of each lane's own pixel.
    I ownX, ownY;
    // True when the own pixels are adjacent pixels of one row.
    bool isRow;

    INLINE void open(const PipEffectRow &row)
    {
        picture = row.picture;
        for (int k = 0; k < 6; k++)
            map[k] = row.sampleMap[k];
        texel = {row.pixelWidth, row.pixelHeight};
        isRow = row.ownStepX == 1.0f && row.ownStepY == 0.0f;
    }
    INLINE void move(const PipEffectRow &row, F number)
    {
        ownX = toInt(floor(row.ownX + number * row.ownStepX));
        ownY = toInt(floor(row.ownY + number * row.ownStepY));
    }
    INLINE LaneVec4 pixel(const Vec<I, 2> &offset) const
    {
        return texelsAt(
            picture, clamp(ownX + offset.x, 0, picture.width - 1), clamp(ownY + offset.y, 0, picture.height - 1));
    }
    INLINE LaneVec4 pixel(const Vec<int, 2> &offset) const
    {
        return pixel(Vec<I, 2>{I(offset.x), I(offset.y)});
    }
    template<class T> INLINE LaneVec4 sample(const Vec<T, 2> &position) const
    {
        // Positions are clamped to the centres of the outermost pixels; a coordinate of NaN reads the first pixel.
        F px = F(position.x), py = F(position.y);
        F x = map[0] * px + map[1] * py + map[2], y = map[3] * px + map[4] * py + map[5];
        F column = clamp(x, 0.5f, (float)picture.width - 0.5f) - 0.5f;
        F line = clamp(y, 0.5f, (float)picture.height - 0.5f) - 0.5f;
        column = choose(x == x, column, F(0.0f));
        line = choose(y == y, line, F(0.0f));
        const char *texels = (const char *)picture.texels;
        const WordOrder order = {0, 8, 16, 24};
        if (picture.width < 2) {
            I y0 = toInt(line), y1 = min(y0 + 1, picture.height - 1);
            return mixOf(texelsAt(picture, I(0), y0), texelsAt(picture, I(0), y1), line - toFloat(y0));
        }
        return picture.isFloat
            ? interpolated<true>(texels, picture.stride, picture.width, picture.height, order, column, line)
            : interpolated<false>(texels, picture.stride, picture.width, picture.height, order, column, line);
    }
};

// MARK: Loops over rows

INLINE LaneVec4 colorAt(const PipEffectRow &row, int first, int32_t i, bool hasAlpha)
{
    return {load(row.rows[first] + i), load(row.rows[first + 1] + i), load(row.rows[first + 2] + i),
            hasAlpha ? load(row.rows[first + 3] + i) : F(1.0f)};
}
template<bool hasAlpha> INLINE void storeColor(float *const *result, int32_t i, const LaneVec4 &color)
{
    store(result[0] + i, color.x);
    store(result[1] + i, color.y);
    store(result[2] + i, color.z);
    if constexpr (hasAlpha)
        store(result[3] + i, color.w);
}
INLINE LaneVec2 positionAt(const PipEffectRow &row, F number)
{
    F pixel = number + row.pixel;
    return {pixel * row.stepX + row.x, pixel * row.stepY + row.y};
}

template<class E, bool hasAlpha> UNTRACED static void pixelLoop(const PipEffectRow *given)
{
    const PipEffectRow row = *given;
    E effect;
    effect.open(row);
    for (int32_t i = 0; i < row.count; i += LANES) {
        F number = laneNumbers() + (float)i;
        auto color = effect.effect(colorAt(row, 0, i, hasAlpha), positionAt(row, number));
        storeColor<hasAlpha>(row.result, i, as<LaneVec4>(color));
    }
}
template<class E, bool hasAlpha> UNTRACED static void combineLoop(const PipEffectRow *given)
{
    const PipEffectRow row = *given;
    E effect;
    effect.open(row);
    for (int32_t i = 0; i < row.count; i += LANES) {
        F number = laneNumbers() + (float)i;
        auto color = effect.effect(
            colorAt(row, 0, i, hasAlpha), colorAt(row, 4, i, true), positionAt(row, number));
        storeColor<hasAlpha>(row.result, i, as<LaneVec4>(color));
    }
}
template<class E, bool hasAlpha> UNTRACED static void combineThreeLoop(const PipEffectRow *given)
{
    const PipEffectRow row = *given;
    E effect;
    effect.open(row);
    for (int32_t i = 0; i < row.count; i += LANES) {
        F number = laneNumbers() + (float)i;
        auto color = effect.effect(
            colorAt(row, 0, i, hasAlpha), colorAt(row, 4, i, true), colorAt(row, 8, i, true), positionAt(row, number));
        storeColor<hasAlpha>(row.result, i, as<LaneVec4>(color));
    }
}
template<class E, bool hasAlpha> UNTRACED static void neighbourhoodLoop(const PipEffectRow *given)
{
    const PipEffectRow row = *given;
    E effect;
    effect.open(row);
    for (int32_t i = 0; i < row.count; i += LANES) {
        LaneVec4 around[9];
        for (int k = 0; k < 9; k++)
            around[k] = colorAt(row, k / 3 * 4, i + k % 3 - 1, hasAlpha);
        storeColor<hasAlpha>(row.result, i, as<LaneVec4>(effect.effect(around)));
    }
}
template<class E, bool hasAlpha> UNTRACED static void samplerLoop(const PipEffectRow *given)
{
    const PipEffectRow row = *given;
    E effect;
    effect.access.open(row);
    effect.open(row);
    for (int32_t i = 0; i < row.count; i += LANES) {
        F number = laneNumbers() + (float)i;
        effect.access.move(row, number);
        storeColor<hasAlpha>(row.result, i, as<LaneVec4>(effect.effect(positionAt(row, number))));
    }
}
template<class E, bool> UNTRACED static void warpLoop(const PipEffectRow *given)
{
    const PipEffectRow row = *given;
    E effect;
    effect.open(row);
    for (int32_t i = 0; i < row.count; i += LANES) {
        F number = laneNumbers() + (float)i;
        auto place = as<LaneVec2>(effect.effect(positionAt(row, number)));
        store(row.result[0] + i, place.x);
        store(row.result[1] + i, place.y);
    }
}
