// A Jacobi step of Poisson blending, towards a picture with the overlay's gradients: the mean of the neighbours plus
// the overlay's detail, mixed with the pixel itself.
vec4 EFFECT(vec4 color, vec4 other, vec4 third, vec2 position)
{
    return vec4(mix(third.rgb, color.rgb + other.rgb, other.a), third.a);
}
