uniform vec2 PREFIX(bell);  // hue at the centre of the bell curve, and its sharpness
uniform vec2 PREFIX(move);  // changes of hue and saturation at the centre

// Source: Sam Hocevar, "Fast branchless RGB to HSV conversion in GLSL".
vec3 EFFECT_toHSV(vec3 c)
{
    vec4 p = c.g < c.b ? vec4(c.bg, -1.0, 2.0 / 3.0) : vec4(c.gb, 0.0, -1.0 / 3.0);
    vec4 q = c.r < p.x ? vec4(p.xyw, c.r) : vec4(c.r, p.yzx);
    float span = q.x - min(q.w, q.y);
    return vec3(abs(q.z + (q.w - q.y) / (6.0 * span + 1e-6)), span / (q.x + 1e-6), q.x);
}

vec3 EFFECT_toRGB(vec3 c)
{
    vec3 p = abs(fract(c.xxx + vec3(1.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0);
    return c.z * mix(vec3(1.0), clamp(p - 1.0, 0.0, 1.0), c.y);
}

vec4 EFFECT(vec4 color, vec2 position)
{
    vec3 hsv = EFFECT_toHSV(clamp(color.rgb, 0.0, 1.0));
    float away = abs(hsv.x - PREFIX(bell).x);
    float d = min(away, 1.0 - away) / 0.5;
    float weight = exp(-d * d * PREFIX(bell).y);
    hsv.x = fract(hsv.x + weight * PREFIX(move).x);
    hsv.y = clamp(hsv.y + weight * PREFIX(move).y, 0.0, 1.0);
    return vec4(EFFECT_toRGB(hsv), color.a);
}
