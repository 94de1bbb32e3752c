// Keeps a pixel whose luma is the largest of its 3×3 and reaches a threshold. Among equals, the last one is kept.
uniform vec3 PREFIX(luma);
uniform float PREFIX(threshold);

vec4 EFFECT(vec4 around[9])
{
    float y[9];
    for (int i = 0; i < 9; i++)
        y[i] = dot(around[i].rgb, PREFIX(luma));
    float before = max(max(y[0], y[1]), max(y[2], y[3]));
    float after = max(max(y[5], y[6]), max(y[7], y[8]));
    bool stays = y[4] >= before && y[4] > after && y[4] >= PREFIX(threshold);
    return vec4(stays ? around[4].rgb : vec3(0.0), around[4].a);
}
