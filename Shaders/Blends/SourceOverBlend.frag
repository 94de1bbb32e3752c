vec4 BLEND(vec4 base, vec4 over, float mask, vec2 position)
{
    return vec4(mix(base.rgb, over.rgb, over.a * mask), base.a);
}
