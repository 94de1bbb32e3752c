uniform vec2 PREFIX(reach);  // radius in pixels; 1 / (2.5 threshold)

vec4 EFFECT(vec2 position)
{
    vec4 own = PIXEL(ivec2(0));
    int reach = int(PREFIX(reach).x);
    vec4 sum = vec4(0.0);
    vec4 weights = vec4(0.0);
    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++) {
            vec4 other = PIXEL(ivec2(x, y));
            vec4 weight = max(1.0 - abs(other - own) * PREFIX(reach).y, 0.0);
            sum += weight * other;
            weights += weight;
        }
    return sum / weights;
}
