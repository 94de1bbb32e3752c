uniform float PREFIX(amount);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    return vec4(color.rgb + PREFIX(amount) * (color.rgb - other.rgb), color.a);
}
