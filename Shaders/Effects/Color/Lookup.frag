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

// Interpolates linearly along all three axes.
vec4 EFFECT(vec4 color, vec2 position)
{
    float last = PREFIX(grid).x - 1.0;
    vec3 place = clamp((color.rgb - PREFIX(low)) * PREFIX(scale), 0.0, 1.0) * last;
    vec3 first = min(floor(place), last - 1.0);
    vec3 part = place - first;
    vec2 lower = first.rg + EFFECT_plane(first.b);
    vec2 upper = first.rg + EFFECT_plane(first.b + 1.0);
    vec3 edges[4];
    for (int i = 0; i < 4; i++) {
        vec2 start = (i < 2 ? lower : upper) + vec2(0, i & 1);
        edges[i] = mix(EFFECT_entry(start), EFFECT_entry(start + vec2(1, 0)), part.r);
    }
    vec3 c = mix(mix(edges[0], edges[1], part.g), mix(edges[2], edges[3], part.g), part.b);
    return vec4(mix(color.rgb, c, PREFIX(grid).z), color.a);
}
