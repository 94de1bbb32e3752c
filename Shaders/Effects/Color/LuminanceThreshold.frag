uniform float PREFIX(threshold);  // 0…1
uniform vec3 PREFIX(weights);     // luma weights of red, green and blue

vec4 EFFECT(vec4 color, vec2 position)
{
    return vec4(vec3(step(PREFIX(threshold), dot(color.rgb, PREFIX(weights)))), color.a);
}
