// The access functions of an effect that reads the picture anywhere. The image has the effect's size.
uniform ivec4 imageSize;   // width and height
uniform mat3 effectMap;    // maps canvas pixels to the effect's positions, 0…1
uniform mat3 sampleMap;    // maps the effect's positions to samples of the image
uniform vec2 pixelSize;    // the size of a sample, in positions

#define TEXEL pixelSize

ivec2 ownPixel;

vec4 PIXEL(ivec2 offset) { return rgba(clamp(ownPixel + offset, ivec2(0), imageSize.xy - 1)); }

vec4 SAMPLE(vec2 position)
{
    // Limits the place to the centres of the outermost samples. A place that is NaN reads the first sample.
    vec2 place = clamp((sampleMap * vec3(position, 1.0)).xy, vec2(0.5), vec2(imageSize.xy) - 0.5) - 0.5;
    place = mix(place, vec2(0.0), isnan(place));
    ivec2 first = ivec2(place);
    ivec2 last = min(first + 1, imageSize.xy - 1);
    vec2 part = place - vec2(first);
    return mix(mix(rgba(first), rgba(ivec2(last.x, first.y)), part.x),
               mix(rgba(ivec2(first.x, last.y)), rgba(last), part.x), part.y);
}
