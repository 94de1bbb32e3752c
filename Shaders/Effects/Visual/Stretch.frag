uniform vec2 PREFIX(center);

vec2 EFFECT(vec2 position)
{
    vec2 away = 2.0 * (position - PREFIX(center));
    return PREFIX(center) + 0.5 * away * (0.5 + 0.5 * smoothstep(0.25, 0.5, abs(away)));
}
