// Area filter: the mean of an image over a rectangle around `center`, exact for any scale; linear interpolation where
// the rectangle is one sample wide. Samples are squares; sample (0, 0) covers 0…1. Parts beyond the image do not count.
// TAPS is the number of samples that the rectangle may touch, across and down.
#define AREA(NAME, TYPE, FETCH, TAPS)                                                            \
    TYPE NAME(vec2 center, vec2 width, ivec2 size)                                               \
    {                                                                                            \
        vec2 low = clamp(center - 0.5 * width, vec2(0.0), vec2(size) - 0.01);                    \
        vec2 high = max(min(center + 0.5 * width, vec2(size)), low + 0.01);                      \
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
        return sum / ((high.x - low.x) * (high.y - low.y));                                      \
    }

// The area filter for a packed image, which is read texel by texel. A texel holds COUNT samples, at PLACES from its
// first sample. TEXELS is the number of texels across, and of samples down, that the rectangle may touch. MEAN is the
// contribution of the texel `at`, its samples weighted by `across`.
#define AREA_PACKED(NAME, TYPE, WEIGHTS, COUNT, PLACES, TEXELS, MEAN)                            \
    TYPE NAME(vec2 center, vec2 width, ivec2 size)                                               \
    {                                                                                            \
        vec2 low = clamp(center - 0.5 * width, vec2(0.0), vec2(size) - 0.01);                    \
        vec2 high = max(min(center + 0.5 * width, vec2(size)), low + 0.01);                      \
        ivec2 first = ivec2(low + 1e-3);                                                         \
        first.x /= COUNT;                                                                        \
        ivec2 last = ivec2((size.x - 1) / COUNT, size.y - 1);                                    \
        TYPE sum = TYPE(0.0);                                                                    \
        for (int i = 0; i < TEXELS.x; i++) {                                                     \
            WEIGHTS x = float((first.x + i) * COUNT) + PLACES;                                   \
            WEIGHTS across = clamp(min(x + 1.0, high.x) - max(x, low.x), 0.0, 1.0);              \
            if (EXACT) across = WEIGHTS(1.0);                                                    \
            for (int j = 0; j < TEXELS.y; j++) {                                                 \
                float y = float(first.y + j);                                                    \
                float down = clamp(min(y + 1.0, high.y) - max(y, low.y), 0.0, 1.0);              \
                if (EXACT) down = 1.0;                                                           \
                ivec2 at = min(first + ivec2(i, j), last);                                       \
                sum += down * MEAN;                                                              \
            }                                                                                    \
        }                                                                                        \
        return EXACT ? sum * (1.0 / float(TEXELS.x * COUNT * TEXELS.y))                          \
                     : sum / ((high.x - low.x) * (high.y - low.y));                              \
    }
