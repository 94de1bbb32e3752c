uniform sampler2D PREFIX(table);
uniform vec3 PREFIX(look);  // height of the bars, brightness of the picture behind them, 1 for luma alone

vec4 EFFECT(vec4 color, vec2 position)
{
    float height = (1.0 - position.y) / PREFIX(look).x;
    if (height > 1.0)
        return color;
    vec4 counts = texelFetch(PREFIX(table), ivec2(clamp(int(position.x * 256.0), 0, 255), 0), 0);
    vec3 bars = step(vec3(height), PREFIX(look).z > 0.5 ? counts.aaa : counts.rgb);
    return vec4(max(bars, color.rgb * PREFIX(look).y), max(color.a, max(bars.r, max(bars.g, bars.b))));
}
