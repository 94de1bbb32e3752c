uniform float PREFIX(persistence);

vec4 EFFECT(vec4 color, vec4 previous, vec2 position)
{
    return vec4(max(color.rgb, previous.rgb * PREFIX(persistence)), color.a);
}
