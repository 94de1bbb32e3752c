uniform vec3 PREFIX(sides);
uniform vec2 PREFIX(circle);  // radius, falloff
uniform vec2 PREFIX(center);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float away = length((position - PREFIX(center)) * PREFIX(sides).xy);
    return mix(color, other, smoothstep(PREFIX(circle).x - PREFIX(circle).y, PREFIX(circle).x, away));
}
