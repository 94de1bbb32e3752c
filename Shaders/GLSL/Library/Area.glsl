// The mean of an image over a rectangle around `center`: exact for any scale, and linear interpolation where the rectangle is one sample wide.
// Samples are squares; sample (0, 0) covers 0…1. TAPS is how many samples the rectangle may touch, across and down.
#define AREA(NAME, TYPE, FETCH, TAPS)                                                            \
    TYPE NAME(vec2 center, vec2 width, ivec2 size)                                               \
    {                                                                                            \
        vec2 low = center - 0.5 * width;                                                         \
        vec2 high = low + width;                                                                 \
        vec2 first = floor(low + 1e-3);                                                          \
        ivec2 last = size - 1;                                                                   \
        TYPE sum = TYPE(0.0);                                                                    \
        for (int j = 0; j < TAPS.y; j++) {                                                       \
            float y = first.y + float(j);                                                        \
            float down = clamp(min(y + 1.0, high.y) - max(y, low.y), 0.0, 1.0);                  \
            TYPE row = TYPE(0.0);                                                                \
            for (int i = 0; i < TAPS.x; i++) {                                                   \
                float x = first.x + float(i);                                                    \
                float across = clamp(min(x + 1.0, high.x) - max(x, low.x), 0.0, 1.0);            \
                row += across * FETCH(clamp(ivec2(vec2(x, y)), ivec2(0), last));                 \
            }                                                                                    \
            sum += down * row;                                                                   \
        }                                                                                        \
        return sum / (width.x * width.y);                                                        \
    }
