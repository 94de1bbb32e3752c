uniform sampler2D PREFIX(table);  // planes of equal blue, side by side
uniform vec3 PREFIX(grid);        // entries along an edge, planes side by side, intensity
uniform vec3 PREFIX(low);         // the colour of the first entry
uniform vec3 PREFIX(scale);       // 1 by the colours' range

vec3 EFFECT_entry(ivec3 at)
{
    ivec2 grid = ivec2(PREFIX(grid).xy);
    return texelFetch(PREFIX(table), at.rg + ivec2(at.b % grid.y, at.b / grid.y) * grid.x, 0).rgb;
}

// Linear along all three axes.
vec4 EFFECT(vec4 color, vec2 position)
{
    float last = PREFIX(grid).x - 1.0;
    vec3 place = clamp((color.rgb - PREFIX(low)) * PREFIX(scale), 0.0, 1.0) * last;
    vec3 first = min(floor(place), last - 1.0);
    vec3 part = place - first;
    ivec3 at = ivec3(first);
    vec3 edges[4];
    for (int i = 0; i < 4; i++) {
        ivec3 start = at + ivec3(0, i & 1, i >> 1);
        edges[i] = mix(EFFECT_entry(start), EFFECT_entry(start + ivec3(1, 0, 0)), part.r);
    }
    vec3 c = mix(mix(edges[0], edges[1], part.g), mix(edges[2], edges[3], part.g), part.b);
    return vec4(mix(color.rgb, c, PREFIX(grid).z), color.a);
}
