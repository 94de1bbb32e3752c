uniform vec3 PREFIX(luma);
uniform vec2 PREFIX(toon);  // threshold of edges, number of levels

float PREFIX(gradient)(vec4 around[9])
{
    float y[9];
    for (int i = 0; i < 9; i++)
        y[i] = dot(around[i].rgb, PREFIX(luma));
    float across = y[2] + 2.0 * y[5] + y[8] - y[0] - 2.0 * y[3] - y[6];
    float down = y[6] + 2.0 * y[7] + y[8] - y[0] - 2.0 * y[1] - y[2];
    return sqrt(across * across + down * down);
}

vec4 EFFECT(vec4 around[9])
{
    float ink = PREFIX(gradient)(around) < PREFIX(toon).x ? 1.0 : 0.0;
    return vec4(floor(around[4].rgb * PREFIX(toon).y + 0.5) / PREFIX(toon).y * ink, around[4].a);
}
