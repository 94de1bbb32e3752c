// The largest or smallest values along a line of pixels.
uniform vec4 PREFIX(line);  // direction, reach in pixels, 1 for the largest or -1 for the smallest

vec4 EFFECT(vec2 position)
{
    vec4 own = PIXEL(ivec2(0));
    vec3 most = own.rgb * PREFIX(line).w;
    ivec2 away = ivec2(PREFIX(line).xy);
    for (int i = 1; i <= int(PREFIX(line).z); i++) {
        most = max(most, PIXEL(away * i).rgb * PREFIX(line).w);
        most = max(most, PIXEL(-away * i).rgb * PREFIX(line).w);
    }
    return vec4(min(most * PREFIX(line).w, own.a), own.a);
}
