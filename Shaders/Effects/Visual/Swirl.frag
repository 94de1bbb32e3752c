uniform vec2 PREFIX(swirl);   // rotation at the centre, radius
uniform vec2 PREFIX(center);
uniform vec3 PREFIX(sides);

vec2 EFFECT(vec2 position)
{
    vec2 away = (position - PREFIX(center)) * PREFIX(sides).xy;
    float share = max(1.0 - length(away) / PREFIX(swirl).y, 0.0);
    float angle = PREFIX(swirl).x * share * share;
    vec2 turned = vec2(cos(angle) * away.x - sin(angle) * away.y, sin(angle) * away.x + cos(angle) * away.y);
    return PREFIX(center) + turned / PREFIX(sides).xy;
}
