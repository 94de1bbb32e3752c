uniform vec2 PREFIX(cell);  // the size of a cell, in positions
uniform vec3 PREFIX(luma);
uniform vec3 PREFIX(sides);

vec4 EFFECT(vec4 color, vec2 position)
{
    vec2 away = (fract(position / PREFIX(cell)) - 0.5) * PREFIX(cell) * PREFIX(sides).xy;
    float radius = (1.0 - dot(color.rgb, PREFIX(luma))) * 0.5 * PREFIX(cell).x * PREFIX(sides).x;
    float ink = clamp((radius - length(away)) / PREFIX(sides).z + 0.5, 0.0, 1.0);
    return vec4(vec3(1.0 - ink), color.a);
}
