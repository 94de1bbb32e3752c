uniform float PREFIX(intensity);  // 0…1
uniform vec3 PREFIX(tint);
uniform vec3 PREFIX(weights);     // luma weights of red, green and blue

vec4 EFFECT(vec4 color, vec2 position)
{
    float y = dot(color.rgb, PREFIX(weights));
    vec3 tinted = y < 0.5 ? 2.0 * y * PREFIX(tint) : 1.0 - 2.0 * (1.0 - y) * (1.0 - PREFIX(tint));
    return vec4(mix(color.rgb, tinted, PREFIX(intensity)), color.a);
}
