uniform vec3 PREFIX(luma);
uniform float PREFIX(isColored);

// The neighbours' indices, anticlockwise from the upper right.
const int PREFIX(order)[8] = int[](2, 1, 0, 3, 6, 7, 8, 5);

vec3 PREFIX(value)(vec4 color) { return PREFIX(isColored) > 0.5 ? color.rgb : vec3(dot(color.rgb, PREFIX(luma))); }

vec4 EFFECT(vec4 around[9])
{
    vec3 own = PREFIX(value)(around[4]);
    vec3 bits = vec3(0.0);
    float bit = 1.0;
    for (int i = 0; i < 8; i++) {
        bits += bit * step(own, PREFIX(value)(around[PREFIX(order)[i]]));
        bit *= 2.0;
    }
    return vec4(bits / 255.0, around[4].a);
}
