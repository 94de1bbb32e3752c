uniform vec3 PREFIX(luma);
uniform float PREFIX(strength);
const float PREFIX(weight) = 1.0;

float PREFIX(side)(vec4 around[9], int first, int middle, int last)
{
    return dot(around[first].rgb + PREFIX(weight) * around[middle].rgb + around[last].rgb, PREFIX(luma));
}

// The gradient of luma, to the right and down.
vec2 PREFIX(gradient)(vec4 around[9])
{
    return vec2(PREFIX(side)(around, 2, 5, 8) - PREFIX(side)(around, 0, 3, 6), PREFIX(side)(around, 6, 7, 8) - PREFIX(side)(around, 0, 1, 2));
}

vec4 EFFECT(vec4 around[9]) { return vec4(vec3(PREFIX(strength) * length(PREFIX(gradient)(around))), around[4].a); }
