uniform sampler2D PREFIX(table);  // the colours, in planes of equal blue
uniform vec3 PREFIX(grid);        // entries along an edge, planes in a row, intensity
uniform vec3 PREFIX(low);         // the input colour of the first entry
uniform vec3 PREFIX(scale);       // 1 / the range of input colours

// The first texel of a plane of equal blue. Floats are exact here, and avoid a division of integers.
vec2 EFFECT_plane(float blue)
{
    float row = floor((blue + 0.5) / PREFIX(grid).y);
    return vec2(blue - row * PREFIX(grid).y, row) * PREFIX(grid).x;
}

vec3 EFFECT_entry(vec2 at)
{
    return texelFetch(PREFIX(table), ivec2(at), 0).rgb;
}

// Interpolates in a tetrahedron: from the first corner along the largest component, then the next, then the smallest.
//
// Source: J. Kasson et al., "Performing color space conversions with three-dimensional linear interpolation" (1995).
vec4 EFFECT(vec4 color, vec2 position)
{
    float last = PREFIX(grid).x - 1.0;
    vec3 place = clamp((color.rgb - PREFIX(low)) * PREFIX(scale), 0.0, 1.0) * last;
    vec3 first = min(floor(place), last - 1.0);
    vec3 part = place - first;
    vec2 lower = EFFECT_plane(first.b);
    vec2 upper = EFFECT_plane(first.b + 1.0);
    float most = max(part.r, max(part.g, part.b));
    float least = min(part.r, min(part.g, part.b));
    float middle = part.r + part.g + part.b - most - least;
    // The order of equal components does not matter.
    vec3 one = part.r == most ? vec3(1, 0, 0) : part.g == most ? vec3(0, 1, 0) : vec3(0, 0, 1);
    vec3 two = 1.0 - (part.b == least ? vec3(0, 0, 1) : part.g == least ? vec3(0, 1, 0) : vec3(1, 0, 0));
    vec3 c = (1.0 - most) * EFFECT_entry(first.rg + lower)
           + (most - middle) * EFFECT_entry(first.rg + one.rg + mix(lower, upper, one.b))
           + (middle - least) * EFFECT_entry(first.rg + two.rg + mix(lower, upper, two.b))
           + least * EFFECT_entry(first.rg + 1.0 + upper);
    return vec4(mix(color.rgb, c, PREFIX(grid).z), color.a);
}
