uniform vec3 PREFIX(shape);   // distances at which the tint starts and is complete; strength, 0…1
uniform vec2 PREFIX(center);
uniform vec3 PREFIX(tint);

vec4 EFFECT(vec4 color, vec2 position)
{
    float away = smoothstep(PREFIX(shape).x, PREFIX(shape).y, distance(position, PREFIX(center)));
    return vec4(mix(color.rgb, PREFIX(tint), PREFIX(shape).z * away), color.a);
}
