// Keeps what is largest across its edge: strength in red, direction in green and blue.
uniform vec2 PREFIX(range);  // lower, upper

vec4 EFFECT(vec4 around[9])
{
    // In this order, max makes -1 of what is not a number, whose conversion would differ between processors.
    ivec2 ahead = ivec2(min(max(vec2(-1.0), floor(around[4].gb * 2.0 - 0.5)), vec2(1.0)));
    int step = ahead.y * 3 + ahead.x;
    float own = around[4].r;
    float most = max(around[4 + step].r, around[4 - step].r);
    float share = own >= most ? smoothstep(PREFIX(range).x, PREFIX(range).y, own) : 0.0;
    return vec4(vec3(share), around[4].a);
}
