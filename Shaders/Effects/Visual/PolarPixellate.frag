uniform vec2 PREFIX(piece);  // of a ring, of an angle
uniform vec2 PREFIX(center);
uniform vec3 PREFIX(sides);

vec2 EFFECT(vec2 position)
{
    vec2 away = (position - PREFIX(center)) * PREFIX(sides).xy;
    float radius = (floor(length(away) / PREFIX(piece).x) + 0.5) * PREFIX(piece).x;
    // In the middle itself any angle will do.
    float angle = dot(away, away) > 0.0 ? atan(away.y, away.x) : 0.0;
    angle = (floor(angle / PREFIX(piece).y) + 0.5) * PREFIX(piece).y;
    return PREFIX(center) + radius * vec2(cos(angle), sin(angle)) / PREFIX(sides).xy;
}
