uniform float PREFIX(progress);  // 0…1
uniform float PREFIX(softness);  // the width of the edge, above 0

vec4 BLEND(vec4 base, vec4 over, float mask, vec2 position)
{
    // Source: Movit, luma mix effect.
    float sharpness = 1.0 / PREFIX(softness);
    float share = clamp((mask - 1.0) * sharpness + PREFIX(progress) * (1.0 + sharpness), 0.0, 1.0);
    vec4 both = mix(vec4(base.rgb * base.a, base.a), vec4(over.rgb * over.a, over.a), share);
    return vec4(both.rgb / max(both.a, 1.0 / 1024.0), both.a);
}
