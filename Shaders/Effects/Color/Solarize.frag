uniform float PREFIX(threshold);  // 0…1
uniform vec3 PREFIX(weights);     // luma weights of red, green and blue

vec4 EFFECT(vec4 color, vec2 position)
{
    bool isDark = dot(color.rgb, PREFIX(weights)) <= PREFIX(threshold);
    return vec4(isDark ? 1.0 - color.rgb : color.rgb, color.a);
}
