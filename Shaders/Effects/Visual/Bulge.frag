uniform vec2 PREFIX(bulge);   // scale, radius
uniform vec2 PREFIX(center);
uniform vec3 PREFIX(sides);

vec2 EFFECT(vec2 position)
{
    vec2 away = position - PREFIX(center);
    float share = max(1.0 - length(away * PREFIX(sides).xy) / PREFIX(bulge).y, 0.0);
    float factor = 1.0 - PREFIX(bulge).x * share;
    return PREFIX(center) + away * (factor * factor);
}
