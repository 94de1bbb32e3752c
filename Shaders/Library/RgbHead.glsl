// Reads an RGB image for a pixel of the canvas. Positions `p` are canvas pixels; a pixel's centre is at .5.
uniform vec2 lumaWidth;   // the number of averaged pixels, across and down
uniform ivec4 imageSize;  // width and height

const ivec2 lumaTaps = ivec2(LUMA_TAPS);

AREA(areaRgba, vec4, rgba, lumaTaps)

vec4 head(vec2 p)
{
    vec2 place = locate(p);
    vec4 c = lumaTaps == ivec2(1) ? rgba(clamp(ivec2(floor(place)), ivec2(0), imageSize.xy - 1))
                                  : areaRgba(place, lumaWidth, imageSize.xy);
#ifdef ALPHA_PART
    c.rgb /= max(c.a, 1.0 / 1024.0);
#endif
    return c;
}
