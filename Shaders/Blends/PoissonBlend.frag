// A step towards a picture whose pixels differ from those beside them as the overlay's do: the mean of those, what the overlay has more, and the pixel itself.
vec4 EFFECT(vec4 color, vec4 other, vec4 third, vec2 position)
{
    return vec4(mix(third.rgb, color.rgb + other.rgb, other.a), third.a);
}
