vec4 EFFECT(vec4 around[9])
{
    vec3 corners = around[0].rgb + around[2].rgb + around[6].rgb + around[8].rgb;
    vec3 sides = around[1].rgb + around[3].rgb + around[5].rgb + around[7].rgb;
    return vec4(0.5 * corners + sides - 6.0 * around[4].rgb + 0.5, around[4].a);
}
