uniform vec2 PREFIX(cell);  // the size of a cell, in positions
uniform float PREFIX(radius);
uniform vec2 PREFIX(center);
uniform vec3 PREFIX(sides);

vec2 EFFECT(vec2 position)
{
    float away = length((position - PREFIX(center)) * PREFIX(sides).xy);
    return away < PREFIX(radius) ? (floor(position / PREFIX(cell)) + 0.5) * PREFIX(cell) : position;
}
