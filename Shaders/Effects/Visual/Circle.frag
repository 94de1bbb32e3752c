uniform vec4 PREFIX(circle);  // centre, radius in shorter sides, width of a ring in pixels or 0 for a disc
uniform vec4 PREFIX(color);
uniform vec4 PREFIX(around);
uniform vec3 PREFIX(sides);

vec4 PREFIX(over)(vec4 color, vec4 ink, float share)
{
    float over = ink.a * share;
    float below = color.a * (1.0 - over);
    return vec4((ink.rgb * over + color.rgb * below) / max(over + below, 1.0 / 1024.0), over + below);
}

vec4 EFFECT(vec4 color, vec2 position)
{
    // The distance from the edge in pixels, positive outside.
    float away = (length((position - PREFIX(circle).xy) * PREFIX(sides).xy) - PREFIX(circle).z) / PREFIX(sides).z;
    float disc = PREFIX(circle).z > 0.0 ? clamp(0.5 - away, 0.0, 1.0) : 0.0;
    float ring = PREFIX(circle).w > 0.0 ? disc * clamp(0.5 + away + PREFIX(circle).w, 0.0, 1.0) : disc;
    return PREFIX(over)(PREFIX(over)(color, PREFIX(around), 1.0 - disc), PREFIX(color), ring);
}
