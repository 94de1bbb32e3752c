
// Source: W3C, Compositing and Blending Level 1, "Simple alpha compositing" with blending.
vec4 EFFECT_whole(vec4 base, vec4 over, float mask, vec2 position)
{
    vec3 b = clamp(base.rgb, 0.0, 1.0);
    vec3 o = clamp(over.rgb, 0.0, 1.0);
    float oa = over.a * mask;
    vec3 c = BLEND(b, o) * (oa * base.a) + o * ((1.0 - base.a) * oa) + base.rgb * ((1.0 - oa) * base.a);
    float a = oa + base.a * (1.0 - oa);
    return vec4(base.a < 1.0 ? c / max(a, 1.0 / 1024.0) : c, a);
}
