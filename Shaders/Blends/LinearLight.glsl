
// Converts encoded colours to linear light.
//
// Source: IEC 61966-2-1 (sRGB); above its linear part, a minimax polynomial (error 0.012/255 when encoded).
vec3 EFFECT_decoded(vec3 c)
{
    c = clamp(c, 0.0, 1.0);
    vec3 power = ((((0.0872866039 * c - 0.307388221) * c + 0.667169248) * c + 0.519379492) * c + 0.032746316) * c
        + 0.000916884228;
    return mix(power, c * 0.0773993808, step(c, vec3(0.04045)));
}
