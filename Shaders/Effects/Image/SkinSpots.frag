// Blends blue over green by the overlay mode, both at half their values.
vec4 EFFECT(vec4 color, vec2 position)
{
    vec2 c = 0.5 * color.gb;
    float overlaid = c.x < 0.5 ? 2.0 * c.x * c.y : 1.0 - 2.0 * (1.0 - c.x) * (1.0 - c.y);
    return vec4(vec3(overlaid), color.a);
}
