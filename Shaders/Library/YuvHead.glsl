// Reads a Y'CbCr image for a pixel of the canvas. Positions `p` are canvas pixels; a pixel's centre is at .5.
//
// LUMA_TAPS, CHROMA_TAPS  samples to average across and down; (1, 1) where the image keeps its size
// LUMA_TEXELS, CHROMA_TEXELS  packed images: the number of texels across that hold these samples
// EXACT                   packed images: true where the averaged samples fill whole texels
// CHROMA_GRID             the canvas is 4:2:0: chroma is read once for each 2×2 pixels of it
// QUADS                   packed images: four pixels are read at once, of QUADS × QUADS samples each
// DOUBLED                 luma is stored at half its width and height
// SUBSAMPLED_COLUMNS, _ROWS  luma samples per chroma sample; CHROMA_ROWS: the same for luma at its full size
uniform vec2 lumaWidth;    // the number of averaged samples, across and down
uniform vec2 chromaWidth;
uniform ivec4 imageSize;   // luma width and height, chroma width and height
uniform vec4 chromaPlace;  // chroma's offset within the luma samples of the image (xy) and of the canvas (zw)
uniform ivec2 quadOrigin;  // offset from the canvas's quads to the image's quads

const ivec2 lumaTaps = ivec2(LUMA_TAPS);
const ivec2 chromaTaps = ivec2(CHROMA_TAPS);

#ifdef PACKED
const int lumaTexels = LUMA_TEXELS;
const int chromaTexels = CHROMA_TEXELS;

AREA_PACKED(areaLuma, float, vec4, 4, vec4(0, 1, 2, 3), ivec2(lumaTexels, lumaTaps.y), dot(across, lumaQuad(at)))
AREA_PACKED(areaChroma, vec2, vec2, 2, vec2(0, 1), ivec2(chromaTexels, chromaTaps.y), (across.x * chromaPairs(at).xy + across.y * chromaPairs(at).zw))
#else
AREA(areaLuma, float, luma, lumaTaps)
AREA(areaChroma, vec2, chroma, chromaTaps)
#endif

float lumaAt(vec2 p)
{
    vec2 place = locate(p);
    if (lumaTaps == ivec2(1))
        return luma(clamp(ivec2(floor(place)), ivec2(0), imageSize.xy - 1));
    return areaLuma(place, lumaWidth, imageSize.xy);
}

vec2 chromaAt(vec2 p)
{
#ifdef CHROMA_GRID
    p = floor(p * 0.5) * 2.0 + 1.0 - chromaPlace.zw;
#endif
    vec2 place = (locate(p) + chromaPlace.xy) / vec2(SUBSAMPLED_COLUMNS, SUBSAMPLED_ROWS);
    if (chromaTaps == ivec2(1))
        return chroma(clamp(ivec2(floor(place)), ivec2(0), imageSize.zw - 1));
    return areaChroma(place, chromaWidth, imageSize.zw);
}

#if defined(QUADS) && QUADS == 1
vec4 lumaQuadAt(vec2 p)
{
    ivec2 quad = ivec2(int(p.x) >> 2, int(p.y)) + quadOrigin;
#ifdef DOUBLED
    return doubledQuad(quad, ivec2(imageSize.x >> 2, imageSize.y) - 1);
#else
    return lumaQuad(quad);
#endif
}

vec4 chromaPairsAt(vec2 p)
{
    ivec2 pair = ivec2(int(p.x) >> 2, int(p.y)) + quadOrigin;
#if CHROMA_ROWS == 2
    return chromaPairs(ivec2(pair.x, pair.y >> 1));
#else
    pair.y &= ~1;
    return 0.5 * (chromaPairs(pair) + chromaPairs(ivec2(pair.x, min(pair.y + 1, imageSize.w - 1))));
#endif
}
#elif defined(QUADS)
// Averages QUADS × QUADS samples for each pixel. QUADS is 2, 3 or 4.
vec4 lumaQuadAt(vec2 p)
{
    ivec2 first = (ivec2(int(p.x) >> 2, int(p.y)) + quadOrigin) * QUADS;
    vec4 sum = vec4(0.0);
    for (int row = 0; row < QUADS; row++) {
        ivec2 at = ivec2(first.x, first.y + row);
        vec4 a = lumaQuad(at);
        vec4 b = lumaQuad(at + ivec2(1, 0));
#if QUADS == 2
        sum += vec4(a.x + a.y, a.z + a.w, b.x + b.y, b.z + b.w);
#elif QUADS == 3
        vec4 c = lumaQuad(at + ivec2(2, 0));
        sum += vec4(a.x + a.y + a.z, a.w + b.x + b.y, b.z + b.w + c.x, c.y + c.z + c.w);
#else
        vec4 c = lumaQuad(at + ivec2(2, 0));
        vec4 d = lumaQuad(at + ivec2(3, 0));
        sum += vec4(dot(a, vec4(1.0)), dot(b, vec4(1.0)), dot(c, vec4(1.0)), dot(d, vec4(1.0)));
#endif
    }
    return sum * (1.0 / float(QUADS * QUADS));
}

vec4 chromaPairsAt(vec2 p)
{
    ivec2 quad = ivec2(int(p.x) >> 2, int(p.y)) + quadOrigin;
    // One chroma sample stands for two rows of the canvas.
    ivec2 first = ivec2(quad.x, (quad.y & ~1) / SUBSAMPLED_ROWS) * QUADS;
    const int rows = QUADS * 2 / SUBSAMPLED_ROWS;
    vec4 sum = vec4(0.0);
    for (int row = 0; row < rows; row++) {
        ivec2 at = ivec2(first.x, first.y + row);
        vec4 a = chromaPairs(at);
        vec4 b = chromaPairs(at + ivec2(1, 0));
#if QUADS == 2
        sum += vec4(a.xy + a.zw, b.xy + b.zw);
#elif QUADS == 3
        vec4 c = chromaPairs(at + ivec2(2, 0));
        sum += vec4(a.xy + a.zw + b.xy, b.zw + c.xy + c.zw);
#else
        vec4 c = chromaPairs(at + ivec2(2, 0));
        vec4 d = chromaPairs(at + ivec2(3, 0));
        sum += vec4(a.xy + a.zw + b.xy + b.zw, c.xy + c.zw + d.xy + d.zw);
#endif
    }
    return sum * (1.0 / float(QUADS * rows));
}
#else
vec4 lumaQuadAt(vec2 p)
{
    return vec4(lumaAt(p), lumaAt(p + vec2(1, 0)), lumaAt(p + vec2(2, 0)), lumaAt(p + vec2(3, 0)));
}

vec4 chromaPairsAt(vec2 p) { return vec4(chromaAt(p), chromaAt(p + vec2(2, 0))); }
#endif

#if defined(QUADS) && QUADS == 2
// Reads a single pixel, without the samples of its neighbours.
vec4 head(vec2 p)
{
    ivec2 at = ivec2(p);
    ivec2 place = ivec2((at.x >> 1) + 2 * quadOrigin.x, (at.y + quadOrigin.y) * 2);
    vec4 y = lumaQuad(place) + lumaQuad(place + ivec2(0, 1));
    const int rows = 4 / SUBSAMPLED_ROWS;
    place.y = ((at.y + quadOrigin.y) & ~1) / SUBSAMPLED_ROWS * 2;
    vec4 pairs = vec4(0.0);
    for (int row = 0; row < rows; row++)
        pairs += chromaPairs(place + ivec2(0, row));
    return vec4(0.25 * ((at.x & 1) == 0 ? y.x + y.y : y.z + y.w), (pairs.xy + pairs.zw) * (1.0 / float(2 * rows)), 1.0);
}
#elif defined(QUADS) && QUADS == 4
vec4 head(vec2 p)
{
    ivec2 at = ivec2(p);
    ivec2 place = ivec2(at.x + 4 * quadOrigin.x, (at.y + quadOrigin.y) * 4);
    vec4 y = lumaQuad(place) + lumaQuad(place + ivec2(0, 1)) + lumaQuad(place + ivec2(0, 2)) + lumaQuad(place + ivec2(0, 3));
    const int rows = 8 / SUBSAMPLED_ROWS;
    place = ivec2(place.x & ~1, ((at.y + quadOrigin.y) & ~1) / SUBSAMPLED_ROWS * 4);
    vec4 pairs = vec4(0.0);
    for (int row = 0; row < rows; row++)
        pairs += chromaPairs(place + ivec2(0, row)) + chromaPairs(place + ivec2(1, row));
    return vec4(dot(y, vec4(1.0 / 16.0)), (pairs.xy + pairs.zw) * (1.0 / float(4 * rows)), 1.0);
}
#elif defined(QUADS)
vec4 head(vec2 p)
{
    int place = int(p.x) & 3;
    vec4 pairs = chromaPairsAt(p);
    return vec4(lumaQuadAt(p)[place], place < 2 ? pairs.xy : pairs.zw, 1.0);
}
#else
vec4 head(vec2 p) { return vec4(lumaAt(p), chromaAt(p), 1.0); }
#endif

void headQuad(vec2 p, out vec4 c[4])
{
    vec4 y = lumaQuadAt(p);
#ifdef CHROMA_GRID
    vec4 pairs = chromaPairsAt(p);
    c[0] = vec4(y.x, pairs.xy, 1.0);
    c[1] = vec4(y.y, pairs.xy, 1.0);
    c[2] = vec4(y.z, pairs.zw, 1.0);
    c[3] = vec4(y.w, pairs.zw, 1.0);
#else
    for (int i = 0; i < 4; i++)
        c[i] = vec4(y[i], chromaAt(p + vec2(i, 0)), 1.0);
#endif
}

void headBlock(vec2 p, vec2 below, out vec4 c[4], out vec4 d[4])
{
#ifdef CHROMA_GRID
    vec4 y = lumaQuadAt(p);
    vec4 z = lumaQuadAt(below);
    vec4 pairs = chromaPairsAt(p);
    c[0] = vec4(y.x, pairs.xy, 1.0);
    c[1] = vec4(y.y, pairs.xy, 1.0);
    c[2] = vec4(y.z, pairs.zw, 1.0);
    c[3] = vec4(y.w, pairs.zw, 1.0);
    d[0] = vec4(z.x, pairs.xy, 1.0);
    d[1] = vec4(z.y, pairs.xy, 1.0);
    d[2] = vec4(z.z, pairs.zw, 1.0);
    d[3] = vec4(z.w, pairs.zw, 1.0);
#else
    headQuad(p, c);
    headQuad(below, d);
#endif
}
