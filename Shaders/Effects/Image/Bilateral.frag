uniform float PREFIX(factor);
uniform vec2 PREFIX(stride);  // the step between taps, in pixels

const float PREFIX(weights)[5] = float[](0.18, 0.15, 0.12, 0.09, 0.05);

vec4 PREFIX(tap)(vec4 own, vec4 other, float weight)
{
    return vec4(other.rgb, 1.0) * (weight * (1.0 - min(PREFIX(factor) * distance(own.rgb, other.rgb), 1.0)));
}

vec4 EFFECT(vec2 position)
{
    vec4 own = PIXEL(ivec2(0));
    vec4 sum = vec4(own.rgb, 1.0) * PREFIX(weights)[0];
    for (int i = 1; i < 5; i++) {
        vec2 away = float(i) * PREFIX(stride) * TEXEL;
        sum += PREFIX(tap)(own, SAMPLE(position + away), PREFIX(weights)[i]);
        sum += PREFIX(tap)(own, SAMPLE(position - away), PREFIX(weights)[i]);
    }
    return vec4(sum.rgb / sum.a, own.a);
}
