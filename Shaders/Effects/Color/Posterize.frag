uniform float PREFIX(levels);

vec4 EFFECT(vec4 color, vec2 position)
{
    return vec4(floor(color.rgb * PREFIX(levels) + 0.5) / PREFIX(levels), color.a);
}
