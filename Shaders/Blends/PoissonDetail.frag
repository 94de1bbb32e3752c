// The Laplacian: a pixel's difference from the mean of its four neighbours. Alpha holds the weight.
uniform float PREFIX(mix);

vec4 EFFECT(vec4 around[9])
{
    vec3 mean = 0.25 * (around[1].rgb + around[3].rgb + around[5].rgb + around[7].rgb);
    return vec4(around[4].rgb - mean, around[4].a * PREFIX(mix));
}
