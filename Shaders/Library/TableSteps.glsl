// Steps of compute shaders that make tables of 256 bins, shared by the lanes of a work group.
shared vec4 bins[256];
shared vec4 quarters[64];

// Sums the rows of the preceding table into `bins`: `rows` rows, beginning with row `first`.
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
