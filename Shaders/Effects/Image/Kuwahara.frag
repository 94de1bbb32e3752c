uniform float PREFIX(reach);  // the radius in pixels

vec4 EFFECT(vec2 position)
{
    int reach = int(PREFIX(reach));
    float count = (PREFIX(reach) + 1.0) * (PREFIX(reach) + 1.0);
    vec4 best = vec4(0.0);
    float least = 1e9;
    for (int quarter = 0; quarter < 4; quarter++) {
        ivec2 first = ivec2((quarter & 1) == 0 ? -reach : 0, quarter < 2 ? -reach : 0);
        vec4 sum = vec4(0.0);
        vec3 squares = vec3(0.0);
        for (int y = 0; y <= reach; y++)
            for (int x = 0; x <= reach; x++) {
                vec4 c = PIXEL(first + ivec2(x, y));
                sum += c;
                squares += c.rgb * c.rgb;
            }
        vec4 mean = sum / count;
        vec3 variance = abs(squares / count - mean.rgb * mean.rgb);
        float spread = variance.r + variance.g + variance.b;
        if (spread < least) {
            least = spread;
            best = mean;
        }
    }
    return best;
}
