uniform float PREFIX(strength);  // 0…1
uniform vec2 PREFIX(range);      // distances where darkening starts and is complete

vec4 EFFECT(vec4 color, vec2 position)
{
    float away = smoothstep(PREFIX(range).x, PREFIX(range).y, distance(position, vec2(0.5)));
    return vec4(color.rgb * (1.0 - PREFIX(strength) * away), color.a);
}
