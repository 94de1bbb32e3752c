uniform vec3 PREFIX(luma);
uniform float PREFIX(multiplier);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float light = dot(color.rgb, PREFIX(luma));
    return vec4(vec3(light >= PREFIX(multiplier) * dot(other.rgb, PREFIX(luma)) ? 1.0 : 0.0), color.a);
}
