uniform float PREFIX(weights)[9];  // the kernel, row by row

vec4 EFFECT(vec4 around[9])
{
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 9; i++)
        sum += PREFIX(weights)[i] * around[i].rgb;
    return vec4(sum, around[4].a);
}
