uniform float PREFIX(amount);

float PREFIX(overlaid)(vec4 color)
{
    vec2 c = 0.5 * color.gb;
    return c.x < 0.5 ? 2.0 * c.x * c.y : 1.0 - 2.0 * (1.0 - c.x) * (1.0 - c.y);
}

// A parabola through (0, 0), (120, 146) and (255, 255).
vec3 PREFIX(lifted)(vec3 c) { return c + 0.40928 * c * (1.0 - c); }

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float mask = PREFIX(overlaid)(color) - other.r + 0.5;
    for (int i = 0; i < 3; i++)
        mask = mask < 0.5 ? 2.0 * mask * mask : 1.0 - 2.0 * (1.0 - mask) * (1.0 - mask);
    mask = clamp(mask * (255.0 / 164.0), 0.0, 1.0);
    return vec4(mix(color.rgb, PREFIX(lifted)(color.rgb), PREFIX(amount) * (1.0 - mask)), color.a);
}
