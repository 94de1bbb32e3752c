uniform float PREFIX(threshold);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float change = distance(color.rgb, other.rgb);
    return vec4(vec3(change >= PREFIX(threshold) ? 1.0 : 0.0), color.a);
}
