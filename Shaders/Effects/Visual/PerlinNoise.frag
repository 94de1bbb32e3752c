uniform vec3 PREFIX(sides);
uniform float PREFIX(scale);
uniform vec3 PREFIX(start);
uniform vec3 PREFIX(finish);

float PREFIX(permuted)(float x) { return mod((x * 34.0 + 1.0) * x, 289.0); }

// A grid point's contribution at an offset: its gradient, one of 41 directions of a diamond, times the offset.
//
// Gradients are normalized by the first two terms of the inverse square root around 0.7. The factor 2.3 in `EFFECT`
// scales the noise that results.
float PREFIX(corner)(vec2 point, vec2 away)
{
    float hash = PREFIX(permuted)(PREFIX(permuted)(mod(point.x, 289.0)) + mod(point.y, 289.0));
    float x = 2.0 * fract(hash / 41.0) - 1.0;
    float y = abs(x) - 0.5;
    vec2 gradient = vec2(x - floor(x + 0.5), y);
    return dot(gradient, away) * (1.79284291 - 0.85373472 * dot(gradient, gradient));
}

vec4 EFFECT(vec4 color, vec2 position)
{
    vec2 place = position * PREFIX(sides).xy * PREFIX(scale);
    vec2 cell = floor(place);
    vec2 part = place - cell;
    vec2 fade = part * part * part * (part * (part * 6.0 - 15.0) + 10.0);
    float above = mix(PREFIX(corner)(cell, part), PREFIX(corner)(cell + vec2(1, 0), part - vec2(1, 0)), fade.x);
    float below = mix(PREFIX(corner)(cell + vec2(0, 1), part - vec2(0, 1)), PREFIX(corner)(cell + vec2(1, 1), part - vec2(1, 1)), fade.x);
    float noise = clamp(0.5 + 0.5 * 2.3 * mix(above, below, fade.y), 0.0, 1.0);
    return vec4(mix(PREFIX(start), PREFIX(finish), noise), color.a);
}
