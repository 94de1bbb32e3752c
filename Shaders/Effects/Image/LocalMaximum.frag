// Keeps a pixel that is the largest of its 3×3 and reaches a threshold. Among equal pixels, the last one is kept.
uniform float PREFIX(threshold);

vec4 EFFECT(vec4 around[9])
{
    float own = around[4].r;
    float before = max(max(around[0].r, around[1].r), max(around[2].r, around[3].r));
    float after = max(max(around[5].r, around[6].r), max(around[7].r, around[8].r));
    bool isLargest = own >= before && own > after;
    return vec4(vec3(isLargest && own >= PREFIX(threshold) ? 1.0 : 0.0), around[4].a);
}
