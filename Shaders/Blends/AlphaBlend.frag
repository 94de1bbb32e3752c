vec4 BLEND(vec4 base, vec4 over, float mask, vec2 position)
{
    return mix(base, vec4(over.rgb, base.a), over.a * mask);
}
