uniform vec3 PREFIX(luma);
uniform float PREFIX(offset);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float above = dot(color.rgb - other.rgb, PREFIX(luma)) + PREFIX(offset);
    return vec4(vec3(above >= 0.0 ? 1.0 : 0.0), color.a);
}
