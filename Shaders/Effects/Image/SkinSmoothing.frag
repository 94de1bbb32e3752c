uniform float PREFIX(amount);

// `other` is the local mean, `third` the mean of squared differences from that mean.
vec4 EFFECT(vec4 color, vec4 other, vec4 third, vec2 position)
{
    float skin = clamp((min(color.r, other.r - 0.1) - 0.2) * 4.0, 0.0, 1.0);
    float detail = (third.r + third.g + third.b) / 3.0;
    float share = clamp((1.0 - detail / (detail + 0.1)) * skin * PREFIX(amount), 0.0, 1.0);
    return vec4(mix(color.rgb, other.rgb, share), color.a);
}
