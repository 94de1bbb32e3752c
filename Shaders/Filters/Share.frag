// Mixes the result of other operations into the picture.
uniform float PREFIX(share);  // 0…1

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    vec4 mixed = mix(vec4(color.rgb * color.a, color.a), vec4(other.rgb * other.a, other.a), PREFIX(share));
    return vec4(mixed.rgb / max(mixed.a, 1.0 / 1024.0), mixed.a);
}
