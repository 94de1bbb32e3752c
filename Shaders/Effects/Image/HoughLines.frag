uniform sampler2D PREFIX(table);  // number of lines; for each line its normal and its distance from the centre
uniform float PREFIX(width);      // the lines' width in pixels
uniform vec3 PREFIX(color);
uniform vec3 PREFIX(sides);

vec4 EFFECT(vec4 color, vec2 position)
{
    int count = int(texelFetch(PREFIX(table), ivec2(0), 0).r);
    vec2 place = (position - 0.5) * PREFIX(sides).xy;
    float ink = 0.0;
    for (int i = 1; i <= count; i++) {
        vec3 line = texelFetch(PREFIX(table), ivec2(i, 0), 0).rgb;
        float away = abs(dot(place, line.xy) - line.z) / PREFIX(sides).z;
        ink = max(ink, clamp(0.5 + 0.5 * PREFIX(width) - away, 0.0, 1.0));
    }
    float below = color.a * (1.0 - ink);
    return vec4((PREFIX(color) * ink + color.rgb * below) / max(ink + below, 1.0 / 1024.0), ink + below);
}
