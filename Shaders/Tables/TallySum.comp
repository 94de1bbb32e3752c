// Sums the counts of all cells.
uniform float PREFIX(rows);

void EFFECT()
{
    loadBins(0, int(PREFIX(rows)));
    for (int bin = lane; bin < 256; bin += 64)
        imageStore(result, ivec2(bin, 0), bins[bin]);
}
