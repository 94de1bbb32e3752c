// The products of the gradient of luma with itself: across, down, and (around a half) both.
uniform vec3 PREFIX(luma);
uniform float PREFIX(strength);

vec4 EFFECT(vec4 around[9])
{
    float y[9];
    for (int i = 0; i < 9; i++)
        y[i] = dot(around[i].rgb, PREFIX(luma));
    vec2 slope = PREFIX(strength) * vec2(y[2] + y[5] + y[8] - y[0] - y[3] - y[6], y[6] + y[7] + y[8] - y[0] - y[1] - y[2]);
    return vec4(slope * slope, 0.5 + 0.5 * slope.x * slope.y, around[4].a);
}
