// The mean of a pixel's four neighbours.
vec4 EFFECT(vec4 around[9])
{
    return vec4(0.25 * (around[1].rgb + around[3].rgb + around[5].rgb + around[7].rgb), around[4].a);
}
