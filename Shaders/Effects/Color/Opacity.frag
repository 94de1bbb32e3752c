uniform float PREFIX(opacity);  // 0…1

vec4 EFFECT(vec4 color, vec2 position)
{
    return vec4(color.rgb, color.a * PREFIX(opacity));
}
