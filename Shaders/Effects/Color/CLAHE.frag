uniform sampler2D PREFIX(table);
uniform vec3 PREFIX(luma);  // weights of red, green and blue, in parts of 65536
uniform vec3 PREFIX(mesh);  // columns and rows of tiles; strength

float PREFIX(value)(ivec2 tile, int code)
{
    ivec2 tiles = ivec2(PREFIX(mesh).xy);
    tile = clamp(tile, ivec2(0), tiles - 1);
    return texelFetch(PREFIX(table), ivec2(code, tile.y * tiles.x + tile.x), 0).a;
}

vec4 EFFECT(vec4 color, vec2 position)
{
    vec3 codes = floor(clamp(color.rgb, 0.0, 1.0) * 255.0 + 0.5);
    int code = int((dot(codes, PREFIX(luma)) + 32768.0) / 65536.0);
    // Interpolates between the curves of the four nearest tiles.
    vec2 size = texelFetch(PREFIX(table), ivec2(0), 0).rg;
    vec2 place = floor(position * size) / ceil(size / PREFIX(mesh).xy) - 0.5;
    ivec2 first = ivec2(floor(place));
    vec2 part = place - vec2(first);
    float above = mix(PREFIX(value)(first, code), PREFIX(value)(first + ivec2(1, 0), code), part.x);
    float below = mix(PREFIX(value)(first + ivec2(0, 1), code), PREFIX(value)(first + 1, code), part.x);
    float change = mix(above, below, part.y) - float(code) / 255.0;
    return vec4(clamp(color.rgb + change * PREFIX(mesh).z, 0.0, 1.0), color.a);
}
