uniform vec4 PREFIX(channel);  // what the overlay's premultiplied components and alpha weigh
uniform float PREFIX(inverted);  // 0 or 1

vec4 BLEND(vec4 base, vec4 over, float mask, vec2 position)
{
    float shown = clamp(dot(vec4(over.rgb * over.a, over.a), PREFIX(channel)), 0.0, 1.0);
    if (PREFIX(inverted) > 0.5)
        shown = 1.0 - shown;
    return vec4(base.rgb, base.a * mix(1.0, shown, mask));
}
