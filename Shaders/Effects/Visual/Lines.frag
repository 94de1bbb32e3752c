uniform vec4 PREFIX(marks)[64];  // both ends of each line, 0…1
uniform vec2 PREFIX(lines);      // number of lines; line width in pixels
uniform vec4 PREFIX(color);
uniform vec3 PREFIX(sides);
uniform float PREFIX(endless);

vec4 EFFECT(vec4 color, vec2 position)
{
    vec2 pixels = PREFIX(sides).xy / PREFIX(sides).z;
    float ink = 0.0;
    for (int i = 0; i < int(PREFIX(lines).x); i++) {
        vec2 way = (PREFIX(marks)[i].zw - PREFIX(marks)[i].xy) * pixels;
        vec2 away = (position - PREFIX(marks)[i].xy) * pixels;
        float share = dot(away, way) / max(dot(way, way), 1e-6);
        if (PREFIX(endless) < 0.5)
            share = clamp(share, 0.0, 1.0);
        ink = max(ink, clamp(0.5 + 0.5 * PREFIX(lines).y - length(away - share * way), 0.0, 1.0));
    }
    float over = ink * PREFIX(color).a;
    float below = color.a * (1.0 - over);
    return vec4((PREFIX(color).rgb * over + color.rgb * below) / max(over + below, 1.0 / 1024.0), over + below);
}
