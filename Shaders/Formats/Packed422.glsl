// A texel holds a packed 4:2:2 macropixel: YUYV (LUMA rb, CHROMA ga), UYVY (ga, rb), YVYU (rb, ag), VYUY (ga, br).
uniform sampler2D plane0;

float luma(ivec2 p) { return texelFetch(plane0, ivec2(p.x >> 1, p.y), 0).LUMA_ORDER[p.x & 1]; }
vec2 chroma(ivec2 c) { return texelFetch(plane0, c, 0).CHROMA_ORDER; }

vec4 lumaQuad(ivec2 quad)
{
    ivec2 first = ivec2(quad.x * 2, quad.y);
    return vec4(texelFetch(plane0, first, 0).LUMA_ORDER, texelFetch(plane0, first + ivec2(1, 0), 0).LUMA_ORDER);
}

vec4 chromaPairs(ivec2 pair)
{
    ivec2 first = ivec2(pair.x * 2, pair.y);
    return vec4(texelFetch(plane0, first, 0).CHROMA_ORDER, texelFetch(plane0, first + ivec2(1, 0), 0).CHROMA_ORDER);
}
