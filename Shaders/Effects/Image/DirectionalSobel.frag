uniform vec3 PREFIX(luma);
const float PREFIX(weight) = 2.0;

float PREFIX(side)(vec4 around[9], int first, int middle, int last)
{
    return dot(around[first].rgb + PREFIX(weight) * around[middle].rgb + around[last].rgb, PREFIX(luma));
}

// The gradient of luma, to the right and down.
vec2 PREFIX(gradient)(vec4 around[9])
{
    return vec2(PREFIX(side)(around, 2, 5, 8) - PREFIX(side)(around, 0, 3, 6), PREFIX(side)(around, 6, 7, 8) - PREFIX(side)(around, 0, 1, 2));
}

vec4 EFFECT(vec4 around[9])
{
    vec2 slope = PREFIX(gradient)(around);
    float size = length(slope);
    vec2 ahead = size > 0.0 ? slope / size : vec2(0.0);
    // Rounds directions to 45°: an axis counts if the direction's component is at least cos 67.5°.
    vec2 next = sign(ahead) * step(0.38268343, abs(ahead));
    return vec4(size, 0.5 * next + 0.5, around[4].a);
}
