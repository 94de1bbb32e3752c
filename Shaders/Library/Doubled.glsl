// Four neighbouring samples of a plane that is enlarged to twice its size. Along each axis, a result is three parts of
// the nearer sample and one part of the farther sample. Needs `lumaQuad`. The plane has a margin of one texel left and
// right, and of one row above and below.
vec4 doubledRow(ivec2 quad, int row, int lastTexel)
{
    int texel = (quad.x >> 1) + 1;
    bool isLeft = (quad.x & 1) == 0;
    vec4 own = lumaQuad(ivec2(texel, row));
    vec4 next = lumaQuad(ivec2(min(texel + (isLeft ? -1 : 1), lastTexel), row));
    // The two samples in which the four results lie, with the samples before and after them.
    vec4 s = isLeft ? vec4(next.w, own.xyz) : vec4(own.yzw, next.x);
    return 0.75 * s.yyzz + 0.25 * s.xzyw;
}

vec4 doubledQuad(ivec2 quad, ivec2 lastTexel)
{
    int row = (quad.y >> 1) + 1;
    int other = min(row + ((quad.y & 1) == 0 ? -1 : 1), lastTexel.y);
    return 0.75 * doubledRow(quad, row, lastTexel.x) + 0.25 * doubledRow(quad, other, lastTexel.x);
}
