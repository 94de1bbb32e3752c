// The declarations of a compute shader that makes a table.
//
// ALPHA  the picture's colours are premultiplied
layout(local_size_x = 64) in;
layout(rgba32f, binding = 0) writeonly uniform highp image2D result;
uniform sampler2D picture;
uniform sampler2D table;    // what the step before made
uniform ivec2 pictureSize;

#define lane int(gl_LocalInvocationIndex)

shared vec4 bins[256];
shared vec4 quarters[64];

// Waits until what all lanes wrote can be read.
void meet()
{
    memoryBarrierShared();
    barrier();
}

vec4 PICTURE(ivec2 pixel)
{
    vec4 c = texelFetch(picture, pixel, 0);
#ifdef ALPHA
    c.rgb /= max(c.a, 1.0 / 1024.0);
    return c;
#else
    return vec4(c.rgb, 1.0);
#endif
}

// Sums rows of the preceding table, from a first one on, into `bins`.
void loadBins(int first, int rows)
{
    for (int bin = lane; bin < 256; bin += 64) {
        vec4 sum = vec4(0.0);
        for (int row = 0; row < rows; row++)
            sum += texelFetch(table, ivec2(bin, first + row), 0);
        bins[bin] = sum;
    }
    meet();
}

// Replaces each bin by the sum of the bins up to it.
void accumulateBins()
{
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; i++)
        sum += bins[4 * lane + i];
    quarters[lane] = sum;
    meet();
    sum = vec4(0.0);
    for (int i = 0; i < lane; i++)
        sum += quarters[i];
    for (int i = 0; i < 4; i++) {
        sum += bins[4 * lane + i];
        bins[4 * lane + i] = sum;
    }
    meet();
}
