uniform vec4 PREFIX(channel);  // weights of the overlay's premultiplied components and alpha in the mask
uniform float PREFIX(inverted);  // 1 to invert the mask, else 0

vec4 BLEND(vec4 base, vec4 over, float mask, vec2 position)
{
    float shown = clamp(dot(vec4(over.rgb * over.a, over.a), PREFIX(channel)), 0.0, 1.0);
    if (PREFIX(inverted) > 0.5)
        shown = 1.0 - shown;
    return vec4(base.rgb, base.a * mix(1.0, shown, mask));
}
