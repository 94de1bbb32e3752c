// Keeps pixels with the largest gradient across their edge. Strength is in red, direction in green and blue.
uniform vec2 PREFIX(range);  // lower and upper threshold

vec4 EFFECT(vec4 around[9])
{
    // In this order of arguments, max turns NaN into -1. Processors convert NaN to integers differently.
    ivec2 ahead = ivec2(min(max(vec2(-1.0), floor(around[4].gb * 2.0 - 0.5)), vec2(1.0)));
    int step = ahead.y * 3 + ahead.x;
    float own = around[4].r;
    float most = max(around[4 + step].r, around[4 - step].r);
    float share = own >= most ? smoothstep(PREFIX(range).x, PREFIX(range).y, own) : 0.0;
    return vec4(vec3(share), around[4].a);
}
