uniform float PREFIX(warmth);  // negative is colder
uniform float PREFIX(tint);    // -2…2

vec4 EFFECT(vec4 color, vec2 position)
{
    const vec3 warm = vec3(0.93, 0.54, 0.0);
    // Shifts the Q component of YIQ, within the range that colours can have.
    float q = dot(vec3(0.211456, -0.522591, 0.311135), color.rgb);
    float moved = clamp(q + PREFIX(tint) * 0.05226, -0.5226, 0.5226);
    vec3 c = color.rgb + (moved - q) * vec3(0.6210, -0.6474, 1.7046);
    vec3 overlaid = mix(2.0 * c * warm, 1.0 - 2.0 * (1.0 - c) * (1.0 - warm), step(0.5, c));
    return vec4(mix(c, overlaid, PREFIX(warmth)), color.a);
}
