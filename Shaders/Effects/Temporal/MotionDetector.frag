uniform float PREFIX(threshold);
uniform vec3 PREFIX(luma);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float change = abs(dot(color.rgb - other.rgb, PREFIX(luma)));
    return vec4(vec3(change >= PREFIX(threshold) ? 1.0 : 0.0), color.a);
}
