// Lends an effect the 3×3 pixels around a pixel of the canvas. The image has the effect's size.
uniform ivec4 imageSize;  // width and height

vec4 head(vec2 p)
{
    ivec2 center = ivec2(floor(locate(p)));
    vec4 around[9];
    for (int i = 0; i < 9; i++) {
        around[i] = rgba(clamp(center + ivec2(i % 3 - 1, i / 3 - 1), ivec2(0), imageSize.xy - 1));
#ifdef ALPHA_PART
        around[i].rgb /= max(around[i].a, 1.0 / 1024.0);
#endif
    }
    return NEIGHBOURHOOD(around);
}
