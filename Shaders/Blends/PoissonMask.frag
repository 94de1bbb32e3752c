// Multiplies the weight of the overlay's detail by a mask.
uniform vec4 PREFIX(channel);
uniform float PREFIX(inverted);  // 1 to invert the mask, else 0

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float mask = clamp(dot(vec4(other.rgb * other.a, other.a), PREFIX(channel)), 0.0, 1.0);
    return vec4(color.rgb, color.a * (PREFIX(inverted) > 0.5 ? 1.0 - mask : mask));
}
