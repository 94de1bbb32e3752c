// The chain's own picture is the base.
uniform float PREFIX(mix);
#ifdef EFFECT_MASKED
uniform vec4 PREFIX(maskChannel);
uniform float PREFIX(maskInverted);  // 1 to invert the mask, else 0

vec4 EFFECT(vec4 color, vec4 other, vec4 third, vec2 position)
{
    float mask = clamp(dot(vec4(third.rgb * third.a, third.a), PREFIX(maskChannel)), 0.0, 1.0);
    if (PREFIX(maskInverted) > 0.5)
        mask = 1.0 - mask;
    return EFFECT_whole(color, other, PREFIX(mix) * mask, position);
}
#else
vec4 EFFECT(vec4 color, vec4 other, vec2 position) { return EFFECT_whole(color, other, PREFIX(mix) * EFFECT_MASK, position); }
#endif
