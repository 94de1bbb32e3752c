uniform vec3 PREFIX(key);
uniform vec2 PREFIX(range);  // colour distances at which a pixel is transparent and opaque

vec4 EFFECT(vec4 color, vec2 position)
{
    vec3 away = color.rgb - PREFIX(key);
    float y = dot(away, vec3(0.2989, 0.5866, 0.1145));
    float d = length(vec2(0.7132 * (away.r - y), 0.5647 * (away.b - y)));
    return vec4(color.rgb, color.a * smoothstep(PREFIX(range).x, PREFIX(range).y, d));
}
