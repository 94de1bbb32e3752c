uniform vec3 PREFIX(shape);   // distances at which darkening starts and is complete; strength, 0…1
uniform vec2 PREFIX(center);

vec4 EFFECT(vec4 color, vec2 position)
{
    float away = smoothstep(PREFIX(shape).x, PREFIX(shape).y, distance(position, PREFIX(center)));
    return vec4(color.rgb * (1.0 - PREFIX(shape).z * away), color.a);
}
