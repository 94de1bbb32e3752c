uniform vec2 PREFIX(piece);  // width of a ring, angle of a piece
uniform vec2 PREFIX(center);
uniform vec3 PREFIX(sides);

vec2 EFFECT(vec2 position)
{
    vec2 away = (position - PREFIX(center)) * PREFIX(sides).xy;
    float radius = (floor(length(away) / PREFIX(piece).x) + 0.5) * PREFIX(piece).x;
    // The centre has no angle, so 0 is used.
    float angle = dot(away, away) > 0.0 ? atan(away.y, away.x) : 0.0;
    angle = (floor(angle / PREFIX(piece).y) + 0.5) * PREFIX(piece).y;
    return PREFIX(center) + radius * vec2(cos(angle), sin(angle)) / PREFIX(sides).xy;
}
