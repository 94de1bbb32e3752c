uniform vec3 PREFIX(sides);
uniform float PREFIX(circle);
uniform vec2 PREFIX(center);

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float away = length((position - PREFIX(center)) * PREFIX(sides).xy);
    return mix(other, color, smoothstep(0.9 * PREFIX(circle), PREFIX(circle), away));
}
