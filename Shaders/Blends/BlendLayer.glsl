// The chain's own picture is the overlay. The picture below it is opaque, and so is the result.
uniform float PREFIX(mix);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    vec4 c = EFFECT_whole(other, color, PREFIX(mix) * EFFECT_MASK, position);
    return vec4(c.rgb * c.a, 1.0);
}
