void PREFIX(sort)(inout vec3 a, inout vec3 b)
{
    vec3 least = min(a, b);
    b = max(a, b);
    a = least;
}

void PREFIX(sort)(inout vec3 a, inout vec3 b, inout vec3 c)
{
    PREFIX(sort)(a, b);
    PREFIX(sort)(b, c);
    PREFIX(sort)(a, b);
}

vec4 EFFECT(vec4 around[9])
{
    vec3 v[9];
    for (int i = 0; i < 9; i++)
        v[i] = around[i].rgb;
    PREFIX(sort)(v[0], v[1], v[2]);
    PREFIX(sort)(v[3], v[4], v[5]);
    PREFIX(sort)(v[6], v[7], v[8]);
    // The median of nine is the median of the largest minimum, the median of the medians, and the smallest maximum.
    vec3 low = max(max(v[0], v[3]), v[6]);
    PREFIX(sort)(v[1], v[4], v[7]);
    vec3 high = min(min(v[2], v[5]), v[8]);
    PREFIX(sort)(low, v[4], high);
    return vec4(v[4], around[4].a);
}
