uniform float PREFIX(strength);
uniform vec3 PREFIX(weights);  // luma weights of red, green and blue

vec4 EFFECT(vec4 around[9])
{
    float y[9];
    for (int i = 0; i < 9; i++)
        y[i] = dot(around[i].rgb, PREFIX(weights));
    float across = y[2] + 2.0 * y[5] + y[8] - y[0] - 2.0 * y[3] - y[6];
    float down = y[6] + 2.0 * y[7] + y[8] - y[0] - 2.0 * y[1] - y[2];
    return vec4(vec3(PREFIX(strength) * sqrt(across * across + down * down)), around[4].a);
}
