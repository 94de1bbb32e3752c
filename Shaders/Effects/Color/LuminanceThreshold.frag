uniform float PREFIX(threshold);  // 0…1
uniform vec3 PREFIX(weights);     // of red, green and blue in luma

vec4 EFFECT(vec4 color, vec2 position)
{
    return vec4(vec3(step(PREFIX(threshold), dot(color.rgb, PREFIX(weights)))), color.a);
}
