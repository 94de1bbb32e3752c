uniform float PREFIX(shadows);     // 0…1
uniform float PREFIX(highlights);  // 0…1

vec4 EFFECT(vec4 color, vec2 position)
{
    // The lower limit keeps the factor finite. Black stays black, because the factor multiplies it.
    float l = clamp(dot(color.rgb, vec3(0.3)), 1.0 / 65536.0, 1.0);
    float root = pow(l, 1.0 / (PREFIX(shadows) + 1.0));
    float shadow = clamp(root - 0.76 * root * root - l, 0.0, 1.0);
    float other = pow(1.0 - l, 1.0 / (2.0 - PREFIX(highlights)));
    float highlight = clamp(1.0 - (other - 0.8 * other * other) - l, -1.0, 0.0);
    return vec4(color.rgb * ((l + shadow + highlight) / l), color.a);
}
