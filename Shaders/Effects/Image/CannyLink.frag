// Keeps pixels that are part of a line.
vec4 EFFECT(vec4 around[9])
{
    float sum = 0.0;
    for (int i = 0; i < 9; i++)
        sum += around[i].r;
    return vec4(vec3(sum >= 1.5 && around[4].r >= 0.01 ? 1.0 : 0.0), around[4].a);
}
