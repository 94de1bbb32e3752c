vec4 BLEND(vec4 base, vec4 over, float mask, vec2 position)
{
    vec4 both = mix(vec4(base.rgb * base.a, base.a), vec4(over.rgb * over.a, over.a), mask);
    return vec4(both.rgb / max(both.a, 1.0 / 1024.0), both.a);
}
