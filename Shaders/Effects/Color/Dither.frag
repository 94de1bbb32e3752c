uniform float PREFIX(levels);  // the largest code value
uniform vec2 PREFIX(size);     // the picture's size in pixels

vec4 EFFECT(vec4 color, vec2 position)
{
    // Bayer's matrix without a table: interleaves the bits of x ^ y and y, the lowest first.
    ivec2 p = ivec2(floor(position * PREFIX(size))) & 7;
    int mixed = p.x ^ p.y;
    int rank = (mixed & 1) << 5 | (p.y & 1) << 4 | (mixed & 2) << 2 | (p.y & 2) << 1 | (mixed & 4) >> 1 | (p.y & 4) >> 2;
    float noise = (float(rank) + 0.5) / 64.0 - 0.5;
    return vec4(floor(clamp(color.rgb, 0.0, 1.0) * PREFIX(levels) + 0.5 + noise) / PREFIX(levels), color.a);
}
