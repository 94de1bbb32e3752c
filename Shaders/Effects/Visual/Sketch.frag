uniform vec3 PREFIX(luma);
uniform float PREFIX(strength);

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
    return vec4(vec3(1.0 - PREFIX(strength) * PREFIX(gradient)(around)), around[4].a);
}
