// A texel holds red, green and blue in the order RGB_ORDER, and alpha, where there is alpha, in ALPHA_PART.
uniform sampler2D plane0;

// Colours with alpha are premultiplied, so that they can be averaged.
vec4 rgba(ivec2 p)
{
    vec4 texel = texelFetch(plane0, p, 0);
#ifdef ALPHA_PART
    return vec4(texel.RGB_ORDER, texel.ALPHA_PART);
#else
    return vec4(texel.RGB_ORDER, 1.0);
#endif
}
