// Applies a separable kernel in one direction. The image has the effect's size.
uniform ivec4 imageSize;       // width and height
uniform float kernel[TAPS];    // the weights, beginning at the centre

vec4 head(vec2 p)
{
    ivec2 center = ivec2(floor(locate(p)));
    vec4 sum = kernel[0] * rgba(clamp(center, ivec2(0), imageSize.xy - 1));
    for (int i = 1; i < TAPS; i++) {
        ivec2 away = i * ivec2(DIRECTION);
        sum += kernel[i] * (rgba(clamp(center + away, ivec2(0), imageSize.xy - 1)) + rgba(clamp(center - away, ivec2(0), imageSize.xy - 1)));
    }
#ifdef ALPHA_PART
    sum.rgb /= max(sum.a, 1.0 / 1024.0);
#endif
    return sum;
}
