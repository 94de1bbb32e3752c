// Writes the chain's result into one plane of a canvas, or into all planes at once.
//
// TARGET   0 RGBA, 1 luma, 2 chroma pairs, 3 one chroma component (COMPONENT 1 or 2), 4 all planes at once
// PLANES   a texel's contents: 0: one sample (or pair); 1: four samples (or two pairs);
//          2: the samples of 4×2 pixels, with luma rows apart (ROW 0 even, 1 odd)
// CHROMA_PLANES  with TARGET 4: 1 plane of pairs, or 2 planes
// ONCE     chroma may be read once for 2×2 pixels, because the chain keeps luma and chroma apart
// BLEND    mixes with the target's contents: by the colour's alpha, or (packed) by a weight for each sample
uniform vec2 canvasOrigin;  // canvas pixel of the target's first texel
uniform vec2 canvasLimit;   // centre of the canvas's last pixel

#if TARGET != 4
layout(location = 0) out vec4 result;
#endif
#ifdef WEIGHTS
layout(location = 0, index = 1) out vec4 weight;
#endif

vec4 drawn(vec4 c, vec2 p) { return look(shade(c, p), p); }

#if TARGET == 0
void main()
{
    vec2 p = gl_FragCoord.xy + canvasOrigin;
    result = drawn(head(p), p);
}
#elif TARGET == 1 && PLANES == 0
void main()
{
    vec2 p = gl_FragCoord.xy + canvasOrigin;
    vec4 c = drawn(head(p), p);
    result = vec4(c.x, 0.0, 0.0, c.a);
}
#elif TARGET == 1
void main()
{
    vec2 p = vec2(4.0 * floor(gl_FragCoord.x) + 0.5, gl_FragCoord.y) + canvasOrigin;
#if PLANES == 2
    p.y = min(p.y + floor(gl_FragCoord.y) + float(ROW), canvasLimit.y);
#endif
    vec4 c[4];
    headQuad(p, c);
    for (int i = 0; i < 4; i++)
        c[i] = drawn(c[i], p + vec2(i, 0));
    result = vec4(c[0].x, c[1].x, c[2].x, c[3].x);
#ifdef WEIGHTS
    weight = 1.0 - vec4(c[0].a, c[1].a, c[2].a, c[3].a);
#endif
}
#elif TARGET == 4
layout(location = 0) out vec4 evenRow;
layout(location = 1) out vec4 oddRow;
layout(location = 2) out vec4 chromaOut;
#if CHROMA_PLANES == 2
layout(location = 3) out vec4 secondChroma;
#endif

void main()
{
    vec2 p = floor(gl_FragCoord.xy) * vec2(4.0, 2.0) + 0.5 + canvasOrigin;
    vec2 below = vec2(p.x, min(p.y + 1.0, canvasLimit.y));
    vec4 c[4], d[4];
    headBlock(p, below, c, d);
    for (int i = 0; i < 4; i++) {
        c[i] = drawn(c[i], p + vec2(i, 0));
        d[i] = drawn(d[i], below + vec2(i, 0));
    }
    evenRow = vec4(lumaOf(c[0].rgb), lumaOf(c[1].rgb), lumaOf(c[2].rgb), lumaOf(c[3].rgb));
    oddRow = vec4(lumaOf(d[0].rgb), lumaOf(d[1].rgb), lumaOf(d[2].rgb), lumaOf(d[3].rgb));
#ifdef ODD_WIDTH
    // The last column counts twice, because an odd width leaves it without a neighbour.
    for (int i = 1; i < 4; i += 2)
        if (p.x + float(i) > canvasLimit.x) {
            c[i] = c[i - 1];
            d[i] = d[i - 1];
        }
#endif
    vec4 pairs = vec4(
        chromaOf(0.25 * (c[0].rgb + c[1].rgb + d[0].rgb + d[1].rgb)),
        chromaOf(0.25 * (c[2].rgb + c[3].rgb + d[2].rgb + d[3].rgb)));
#if CHROMA_PLANES == 2
    chromaOut = vec4(pairs.xz, 0.0, 0.0);
    secondChroma = vec4(pairs.yw, 0.0, 0.0);
#else
    chromaOut = pairs;
#endif
}
#else
// The chroma of two neighbouring blocks of 2×2 pixels: both components, or only the drawn component.
#if TARGET == 2
#define SAMPLES vec4
#define SAMPLES_OF(LEFT, RIGHT) vec4((LEFT).yz, (RIGHT).yz)
#elif COMPONENT == 1
#define SAMPLES vec2
#define SAMPLES_OF(LEFT, RIGHT) vec2((LEFT).y, (RIGHT).y)
#else
#define SAMPLES vec2
#define SAMPLES_OF(LEFT, RIGHT) vec2((LEFT).z, (RIGHT).z)
#endif

// The chroma of the 4×2 pixels from `p`, premultiplied, and the alphas of its two blocks.
void chromaOfBlocks(vec2 p, out SAMPLES samples, out vec2 alphas)
{
    samples = SAMPLES(0.0);
    alphas = vec2(0.0);
#ifdef ONCE
    // The chain does not read luma here, so Cb is passed as luma. With a constant 0 as luma, NVIDIA's driver 580 drew
    // grey sources with a border as if Cb were 0.
    vec4 pairs = chromaPairsAt(p);
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < 2; i++) {
            vec2 q = p + vec2(i, row);
            vec2 r = min(q + vec2(2, 0), canvasLimit);
            vec4 left = drawn(vec4(pairs.xxy, 1.0), min(q, canvasLimit));
            vec4 right = drawn(vec4(pairs.zzw, 1.0), r);
            samples += 0.25 * SAMPLES_OF(left, right);
            alphas += 0.25 * vec2(left.a, right.a);
        }
#else
    for (int row = 0; row < 2; row++) {
        vec2 q = min(p + vec2(0, row), canvasLimit);
        vec4 c[4];
        headQuad(q, c);
        for (int i = 0; i < 4; i++)
            c[i] = drawn(c[i], q + vec2(i, 0));
#ifdef ODD_WIDTH
        // The last column counts twice, because an odd width leaves it without a neighbour.
        for (int i = 1; i < 4; i += 2)
            if (q.x + float(i) > canvasLimit.x)
                c[i] = c[i - 1];
#endif
        samples += 0.25 * (SAMPLES_OF(c[0], c[2]) + SAMPLES_OF(c[1], c[3]));
        alphas += 0.25 * vec2(c[0].a + c[1].a, c[2].a + c[3].a);
    }
#endif
}

#if PLANES == 0
void main()
{
    vec2 p = floor(gl_FragCoord.xy) * 2.0 + 0.5 + canvasOrigin;
    SAMPLES samples;
    vec2 alphas;
    chromaOfBlocks(p, samples, alphas);
#if TARGET == 2
    result = vec4(samples.xy, 0.0, alphas.x);
#else
    result = vec4(samples.x, 0.0, 0.0, alphas.x);
#endif
}
#elif TARGET == 2
void main()
{
    vec2 p = floor(gl_FragCoord.xy) * vec2(4.0, 2.0) + 0.5 + canvasOrigin;
    vec2 alphas;
    chromaOfBlocks(p, result, alphas);
#ifdef WEIGHTS
    weight = 1.0 - alphas.xxyy;
#endif
}
#elif PLANES == 2
void main()
{
    vec2 p = floor(gl_FragCoord.xy) * vec2(4.0, 2.0) + 0.5 + canvasOrigin;
    vec2 samples, alphas;
    chromaOfBlocks(p, samples, alphas);
    result = vec4(samples, 0.0, 0.0);
#ifdef WEIGHTS
    weight = 1.0 - alphas.xyxy;
#endif
}
#else
void main()
{
    vec2 p = floor(gl_FragCoord.xy) * vec2(8.0, 2.0) + 0.5 + canvasOrigin;
    vec2 left, right, leftAlphas, rightAlphas;
    chromaOfBlocks(p, left, leftAlphas);
    chromaOfBlocks(p + vec2(4, 0), right, rightAlphas);
    result = vec4(left, right);
#ifdef WEIGHTS
    weight = 1.0 - vec4(leftAlphas, rightAlphas);
#endif
}
#endif
#endif
