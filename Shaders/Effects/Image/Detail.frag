// The squared difference of a picture from its local mean.
uniform float PREFIX(factor);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    vec3 away = (color.rgb - other.rgb) * PREFIX(factor);
    return vec4(min(away * away, 1.0), color.a);
}
