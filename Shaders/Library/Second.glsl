// Reads a second picture beside the pass's own picture. The results have straight alpha.
vec4 straightened(vec4 c, bool hasAlpha) { return hasAlpha ? vec4(c.rgb / max(c.a, 1.0 / 1024.0), c.a) : vec4(c.rgb, 1.0); }

vec4 secondAt(highp sampler2D picture, vec2 place, ivec2 size, bool hasAlpha)
{
    return straightened(texelFetch(picture, clamp(ivec2(floor(place)), ivec2(0), size - 1), 0), hasAlpha);
}

// Interpolates linearly between the picture's samples.
vec4 secondBetween(highp sampler2D picture, vec2 place, ivec2 size, bool hasAlpha)
{
    place = clamp(place, vec2(0.5), vec2(size) - 0.5) - 0.5;
    ivec2 first = ivec2(place);
    ivec2 last = min(first + 1, size - 1);
    vec2 part = place - vec2(first);
    vec4 above = mix(texelFetch(picture, first, 0), texelFetch(picture, ivec2(last.x, first.y), 0), part.x);
    vec4 below = mix(texelFetch(picture, ivec2(first.x, last.y), 0), texelFetch(picture, last, 0), part.x);
    return straightened(mix(above, below, part.y), hasAlpha);
}
