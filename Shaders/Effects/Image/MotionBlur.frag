uniform vec2 PREFIX(stride);  // the step between taps, in pixels

const float PREFIX(weights)[5] = float[](0.18, 0.15, 0.12, 0.09, 0.05);

// The weighted mean of nine taps along a line. `stride` is the step between taps, in positions.
vec4 PREFIX(along)(vec2 position, vec2 stride)
{
    vec4 sum = PREFIX(weights)[0] * SAMPLE(position);
    for (int i = 1; i < 5; i++)
        sum += PREFIX(weights)[i] * (SAMPLE(position + float(i) * stride) + SAMPLE(position - float(i) * stride));
    return sum;
}

vec4 EFFECT(vec2 position) { return PREFIX(along)(position, PREFIX(stride) * TEXEL); }
