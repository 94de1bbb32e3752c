uniform vec3 PREFIX(luma);
uniform float PREFIX(amount);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float matte = PREFIX(amount) * clamp(dot(color.rgb, PREFIX(luma)), 0.0, 1.0);
    return vec4(mix(color.rgb, other.rgb, matte), color.a);
}
