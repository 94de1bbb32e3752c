// Resamples an image in one direction, by Lanczos's kernel of three lobes.
//
// TAPS       the most samples that the kernel touches
// DIRECTION  1, 0 or 0, 1
//
// Source: Duchon, "Lanczos filtering in one and two dimensions", 1979: sinc(x) sinc(x / 3). Against ringing,
// the result is limited to the range of the middle lobe's samples.
uniform ivec4 imageSize;  // width and height
uniform float samples;    // samples of the image per sample of the result

float lanczos(float x)
{
    float angle = 3.14159265 * x;
    return abs(x) < 1e-4 ? 1.0 : abs(x) >= 3.0 ? 0.0 : 3.0 * sin(angle) * sin(angle / 3.0) / (angle * angle);
}

vec4 head(vec2 p)
{
    vec2 place = locate(p);
    const ivec2 direction = ivec2(DIRECTION);
    float width = max(samples, 1.0);
    float middle = dot(place, vec2(direction)) - 0.5;
    int first = int(ceil(middle - 3.0 * width));
    ivec2 across = ivec2(floor(place)) * (1 - direction);
    vec4 sum = vec4(0.0);
    vec4 low = vec4(1.0);
    vec4 high = vec4(0.0);
    float total = 0.0;
    for (int i = 0; i < TAPS; i++) {
        float x = (float(first + i) - middle) / width;
        vec4 c = rgba(clamp(across + direction * (first + i), ivec2(0), imageSize.xy - 1));
        float own = lanczos(x);
        sum += own * c;
        total += own;
        if (abs(x) < 1.0) {
            low = min(low, c);
            high = max(high, c);
        }
    }
    sum = clamp(sum / total, low, high);
#ifdef ALPHA_PART
    sum.rgb /= max(sum.a, 1.0 / 1024.0);
#endif
    return sum;
}
