uniform sampler2D PREFIX(atlas);  // square tiles in a row, from dark to light
uniform vec2 PREFIX(cell);        // the size of a cell, in positions
uniform vec3 PREFIX(luma);
uniform vec2 PREFIX(tiles);       // number of tiles; 1 to draw them in the picture's colours

vec4 EFFECT(vec4 color, vec2 position)
{
    float light = clamp(dot(color.rgb, PREFIX(luma)), 0.0, 1.0);
    int tile = int(min(floor(light * PREFIX(tiles).x), PREFIX(tiles).x - 1.0));
    int side = textureSize(PREFIX(atlas), 0).y;
    ivec2 last = ivec2(side - 1);
    vec2 place = clamp(fract(position / PREFIX(cell)) * float(side) - 0.5, vec2(0.0), vec2(last));
    ivec2 first = ivec2(place);
    ivec2 next = min(first + 1, last);
    vec2 part = place - vec2(first);
    ivec2 origin = ivec2(tile * side, 0);
    float above = mix(texelFetch(PREFIX(atlas), origin + first, 0).r, texelFetch(PREFIX(atlas), origin + ivec2(next.x, first.y), 0).r, part.x);
    float below = mix(texelFetch(PREFIX(atlas), origin + ivec2(first.x, next.y), 0).r, texelFetch(PREFIX(atlas), origin + next, 0).r, part.x);
    float ink = mix(above, below, part.y);
    return vec4((PREFIX(tiles).y > 0.5 ? color.rgb : vec3(1.0)) * ink, color.a);
}
