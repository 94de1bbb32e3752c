uniform float PREFIX(sharpness);

vec4 EFFECT(vec4 around[9])
{
    vec3 beside = around[1].rgb + around[3].rgb + around[5].rgb + around[7].rgb;
    return vec4((1.0 + 4.0 * PREFIX(sharpness)) * around[4].rgb - PREFIX(sharpness) * beside, around[4].a);
}
