// One luma plane; chroma is neutral.
uniform sampler2D plane0;

vec2 chroma(ivec2 c) { return vec2(128.0 / 255.0); }

#ifdef PACKED
float luma(ivec2 p) { return texelFetch(plane0, ivec2(p.x >> 2, p.y), 0)[p.x & 3]; }
vec4 lumaQuad(ivec2 quad) { return texelFetch(plane0, quad, 0); }
vec4 chromaPairs(ivec2 pair) { return vec4(128.0 / 255.0); }
#else
float luma(ivec2 p) { return texelFetch(plane0, p, 0).r; }
#endif
