uniform sampler2D PREFIX(table);  // planes of equal blue, side by side
uniform vec3 PREFIX(grid);        // entries along an edge, planes side by side, intensity
uniform vec3 PREFIX(low);         // the colour of the first entry
uniform vec3 PREFIX(scale);       // 1 by the colours' range

vec3 EFFECT_entry(ivec3 at)
{
    ivec2 grid = ivec2(PREFIX(grid).xy);
    return texelFetch(PREFIX(table), at.rg + ivec2(at.b % grid.y, at.b / grid.y) * grid.x, 0).rgb;
}

// Tetrahedral interpolation: from the first corner along the largest component, then the next, then the smallest.
//
// Source: J. Kasson et al., "Performing color space conversions with three-dimensional linear interpolation" (1995).
vec4 EFFECT(vec4 color, vec2 position)
{
    float last = PREFIX(grid).x - 1.0;
    vec3 place = clamp((color.rgb - PREFIX(low)) * PREFIX(scale), 0.0, 1.0) * last;
    vec3 first = min(floor(place), last - 1.0);
    vec3 part = place - first;
    ivec3 at = ivec3(first);
    float most = max(part.r, max(part.g, part.b));
    float least = min(part.r, min(part.g, part.b));
    float middle = part.r + part.g + part.b - most - least;
    // The order of equal components does not matter.
    ivec3 one = part.r == most ? ivec3(1, 0, 0) : part.g == most ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
    ivec3 two = ivec3(1) - (part.b == least ? ivec3(0, 0, 1) : part.g == least ? ivec3(0, 1, 0) : ivec3(1, 0, 0));
    vec3 c = (1.0 - most) * EFFECT_entry(at) + (most - middle) * EFFECT_entry(at + one)
           + (middle - least) * EFFECT_entry(at + two) + least * EFFECT_entry(at + ivec3(1));
    return vec4(mix(color.rgb, c, PREFIX(grid).z), color.a);
}
