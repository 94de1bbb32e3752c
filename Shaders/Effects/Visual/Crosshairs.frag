uniform vec4 PREFIX(marks)[64];  // positions of the crosses, 0…1
uniform vec2 PREFIX(lines);      // number of crosses; line width in pixels
uniform float PREFIX(size);      // distance from a cross's centre to its ends, in pixels
uniform vec4 PREFIX(color);
uniform vec3 PREFIX(sides);

vec4 EFFECT(vec4 color, vec2 position)
{
    float ink = 0.0;
    for (int i = 0; i < int(PREFIX(lines).x); i++) {
        vec2 away = abs(position - PREFIX(marks)[i].xy) * PREFIX(sides).xy / PREFIX(sides).z;
        vec2 across = clamp(0.5 + 0.5 * PREFIX(lines).y - away, 0.0, 1.0);
        vec2 along = clamp(0.5 + PREFIX(size) - away, 0.0, 1.0);
        ink = max(ink, max(across.x * along.y, across.y * along.x));
    }
    float over = ink * PREFIX(color).a;
    float below = color.a * (1.0 - over);
    return vec4((PREFIX(color).rgb * over + color.rgb * below) / max(over + below, 1.0 / 1024.0), over + below);
}
