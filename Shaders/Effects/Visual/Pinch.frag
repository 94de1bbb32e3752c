uniform vec2 PREFIX(pinch);   // scale, radius
uniform vec2 PREFIX(center);
uniform vec3 PREFIX(sides);

vec2 EFFECT(vec2 position)
{
    vec2 away = position - PREFIX(center);
    float share = max(1.0 - length(away * PREFIX(sides).xy) / PREFIX(pinch).y, 0.0);
    return PREFIX(center) + away * (1.0 + PREFIX(pinch).x * share);
}
