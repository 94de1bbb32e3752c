uniform float PREFIX(vibrance);  // -1.2…1.2

vec4 EFFECT(vec4 color, vec2 position)
{
    float most = max(color.r, max(color.g, color.b));
    float mean = (color.r + color.g + color.b) / 3.0;
    return vec4(mix(color.rgb, vec3(most), (mean - most) * 3.0 * PREFIX(vibrance)), color.a);
}
