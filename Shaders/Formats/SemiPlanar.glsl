// A luma plane and a plane of chroma pairs: NV12, NV21, NV16.
uniform sampler2D plane0;
uniform sampler2D plane1;

#ifdef PACKED
// A texel holds four luma samples, or two chroma pairs.
float luma(ivec2 p) { return texelFetch(plane0, ivec2(p.x >> 2, p.y), 0)[p.x & 3]; }

vec2 chroma(ivec2 c)
{
    vec4 pairs = texelFetch(plane1, ivec2(c.x >> 1, c.y), 0);
    return ((c.x & 1) == 0 ? pairs.xy : pairs.zw).CHROMA_ORDER;
}

vec4 lumaQuad(ivec2 quad) { return texelFetch(plane0, quad, 0); }

vec4 chromaPairs(ivec2 pair)
{
    vec4 pairs = texelFetch(plane1, pair, 0);
    return vec4(pairs.xy.CHROMA_ORDER, pairs.zw.CHROMA_ORDER);
}
#else
float luma(ivec2 p) { return texelFetch(plane0, p, 0).r; }
vec2 chroma(ivec2 c) { return texelFetch(plane1, c, 0).rg.CHROMA_ORDER; }
#endif
