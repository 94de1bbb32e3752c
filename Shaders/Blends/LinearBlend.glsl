
// The chain's own picture is the overlay. The picture below it is opaque, and so is the result, which is linear.
uniform float PREFIX(mix);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    vec4 base = vec4(EFFECT_decoded(other.rgb * other.a), 1.0);
    vec4 over = vec4(EFFECT_decoded(color.rgb), color.a);
    vec4 c = EFFECT_whole(base, over, PREFIX(mix) * EFFECT_MASK, position);
    return vec4(c.rgb * c.a, 1.0);
}
