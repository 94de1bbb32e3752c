// One step of a filter that processes each plane of a Y'CbCr picture separately. A texel holds four samples, or two
// chroma pairs (PAIRS). `Gray.glsl`, for packed images, declares `plane0` and `lumaQuad`.
//
// FILTER  0 a symmetric kernel across, 1 a symmetric kernel down, 2 half the size, 3 twice the size
// TAPS    texels (across) or samples (down) from the first to the last that the kernel touches
// FIRST, LAST  the swizzles of a texel that repeat the plane's first and last sample
// PAD     the swizzle that fills an incomplete last texel with the last sample
uniform ivec2 lastTexel;
uniform ivec2 shift;  // offset from the result's texels (twice them with FILTER 2) to the plane's

layout(location = 0) out vec4 result;

// The texel `t` of a row. Beyond the edges, the first and last sample repeat.
vec4 samples(int t, int row)
{
    vec4 v = texelFetch(plane0, ivec2(clamp(t, 0, lastTexel.x), row), 0);
#ifdef PAD
    v = t >= lastTexel.x ? v.PAD : v;
#endif
    return t < 0 ? v.FIRST : t > lastTexel.x ? v.LAST : v;
}

#if FILTER == 0
#ifdef PAIRS
uniform vec4 taps[TAPS];

vec4 filtered(ivec2 p)
{
    vec4 sum = vec4(0.0);
    for (int i = 0; i < TAPS; i++) {
        vec4 v = samples(p.x + i - TAPS / 2, p.y);
        sum += vec4(taps[i].x * v.xy + taps[i].y * v.zw, taps[i].z * v.xy + taps[i].w * v.zw);
    }
    return sum;
}
#else
uniform mat4 taps[TAPS];

vec4 filtered(ivec2 p)
{
    vec4 sum = vec4(0.0);
    for (int i = 0; i < TAPS; i++)
        sum += taps[i] * samples(p.x + i - TAPS / 2, p.y);
    return sum;
}
#endif
#elif FILTER == 1
uniform float taps[TAPS];

vec4 filtered(ivec2 p)
{
    vec4 sum = vec4(0.0);
    for (int i = 0; i < TAPS; i++)
        sum += taps[i] * texelFetch(plane0, ivec2(p.x, clamp(p.y + i - TAPS / 2, 0, lastTexel.y)), 0);
    return sum;
}
#elif FILTER == 2
vec4 halvedRow(int t, int row)
{
    vec4 a = samples(t - 1, row);
    vec4 b = samples(t, row);
    vec4 c = samples(t + 1, row);
    vec4 d = samples(t + 2, row);
#ifdef PAIRS
    return vec4(a.zw + c.xy + 3.0 * (b.xy + b.zw), b.zw + d.xy + 3.0 * (c.xy + c.zw));
#else
    return vec4(a.w, b.yw, c.y) + vec4(b.z, c.xz, d.x) + 3.0 * (vec4(b.xz, c.xz) + vec4(b.yw, c.yw));
#endif
}

vec4 filtered(ivec2 p)
{
    ivec2 first = 2 * p + shift;
    ivec4 rows = clamp(first.yyyy + ivec4(-1, 0, 1, 2), 0, lastTexel.y);
    vec4 outer = halvedRow(first.x, rows.x) + halvedRow(first.x, rows.w);
    return (outer + 3.0 * (halvedRow(first.x, rows.y) + halvedRow(first.x, rows.z))) * (1.0 / 64.0);
}
#elif defined(PAIRS)
vec2 pairAt(int pair, int row)
{
    vec4 v = texelFetch(plane0, ivec2(min((pair >> 1) + 1, lastTexel.x), row), 0);
    return (pair & 1) == 0 ? v.xy : v.zw;
}

vec4 doubledRow(int t, int row)
{
    return 0.75 * pairAt(t, row).xyxy + 0.25 * vec4(pairAt(t - 1, row), pairAt(t + 1, row));
}

vec4 filtered(ivec2 p)
{
    p += shift;
    int row = (p.y >> 1) + 1;
    int other = min(row + ((p.y & 1) == 0 ? -1 : 1), lastTexel.y);
    return 0.75 * doubledRow(p.x, row) + 0.25 * doubledRow(p.x, other);
}
#else
vec4 filtered(ivec2 p) { return doubledQuad(p + shift, lastTexel); }
#endif

void main() { result = filtered(ivec2(gl_FragCoord.xy)); }
