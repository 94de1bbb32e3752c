// Three planes: I420 (CHROMA_ORDER xy), YV12 (yx).
uniform sampler2D plane0;
uniform sampler2D plane1;
uniform sampler2D plane2;

#ifdef PACKED
// A texel holds four samples.
float luma(ivec2 p) { return texelFetch(plane0, ivec2(p.x >> 2, p.y), 0)[p.x & 3]; }

vec2 chroma(ivec2 c)
{
    ivec2 quad = ivec2(c.x >> 2, c.y);
    int part = c.x & 3;
    return vec2(texelFetch(plane1, quad, 0)[part], texelFetch(plane2, quad, 0)[part]).CHROMA_ORDER;
}

vec4 lumaQuad(ivec2 quad) { return texelFetch(plane0, quad, 0); }

vec4 chromaPairs(ivec2 pair)
{
    ivec2 quad = ivec2(pair.x >> 1, pair.y);
    vec4 first = texelFetch(plane1, quad, 0);
    vec4 second = texelFetch(plane2, quad, 0);
    vec4 pairs = (pair.x & 1) == 0 ? vec4(first.x, second.x, first.y, second.y) : vec4(first.z, second.z, first.w, second.w);
    return vec4(pairs.xy.CHROMA_ORDER, pairs.zw.CHROMA_ORDER);
}
#else
float luma(ivec2 p) { return texelFetch(plane0, p, 0).r; }
vec2 chroma(ivec2 c) { return vec2(texelFetch(plane1, c, 0).r, texelFetch(plane2, c, 0).r).CHROMA_ORDER; }
#endif
