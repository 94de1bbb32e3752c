
// Draws a layer with its border and shadow over the picture below, in linear light. `color` is the layer's pixel and
// `other` the pixel below. Both have straight alpha, as has the encoded result. `position` is in canvas pixels.
uniform vec4 PREFIX(rect);     // the layer's x, y, width and height
uniform vec3 PREFIX(look);     // corner radius, opacity, 1 where `color` is linear already
uniform vec4 PREFIX(border);   // the border's colour: linear, straight alpha; 0 for no border
uniform float PREFIX(width);   // the border's width
uniform vec3 PREFIX(shadow);   // the shadow's offset, blur and opacity; 0 for no shadow

// Source: IEC 61966-2-1 (sRGB); above its linear part, a minimax polynomial of the fourth root (error 0.009/255).
vec3 EFFECT_encoded(vec3 c)
{
    c = clamp(c, 0.0, 1.0);
    vec3 q = sqrt(sqrt(c));
    vec3 power = (((0.0813298534 * q - 0.335501257) * q + 1.12268137) * q + 0.196135957) * q - 0.0646115486;
    return mix(power, c * 12.92, step(c, vec3(0.0031308)));
}

// Source: Inigo Quilez, "2D distance functions", rounded box.
float EFFECT_edge(vec2 p)
{
    vec2 q = abs(p - PREFIX(rect).xy - 0.5 * PREFIX(rect).zw) - 0.5 * PREFIX(rect).zw + PREFIX(look).x;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - PREFIX(look).x;
}

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    // Colours are premultiplied from here on.
    vec4 below = vec4(EFFECT_decoded(other.rgb) * other.a, other.a);
    vec4 own = color;
    if (PREFIX(look).z < 0.5)
        own.rgb = EFFECT_decoded(color.rgb);
    own.rgb *= own.a;
    float edge = EFFECT_edge(position);
    if (PREFIX(border).a > 0.0) {
        float line = PREFIX(border).a * clamp(edge + PREFIX(width) + 0.5, 0.0, 1.0);
        own = vec4(PREFIX(border).rgb, 1.0) * line + own * (1.0 - line);
    }
    if (PREFIX(shadow).z > 0.0) {
        float away = EFFECT_edge(position - vec2(0.0, PREFIX(shadow).x));
        float dark = PREFIX(shadow).z * (1.0 - smoothstep(-PREFIX(shadow).y, PREFIX(shadow).y, away));
        below = vec4(0.0, 0.0, 0.0, 1.0) * dark + below * (1.0 - dark);
    }
    float share = PREFIX(look).y * clamp(0.5 - edge, 0.0, 1.0);
    vec4 both = own * share + below * (1.0 - own.a * share);
    return vec4(EFFECT_encoded(both.rgb / max(both.a, 1.0 / 1024.0)), both.a);
}
