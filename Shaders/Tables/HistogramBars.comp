// Divides the counts of the shown channels by the largest of them.
uniform float PREFIX(rows);
uniform vec4 PREFIX(shown);  // 1 for each channel that is shown

void EFFECT()
{
    loadBins(0, int(PREFIX(rows)));
    vec4 most = vec4(1.0);
    for (int bin = 0; bin < 256; bin++)
        most = max(most, bins[bin] * PREFIX(shown));
    float highest = max(max(most.r, most.g), max(most.b, most.a));
    for (int bin = lane; bin < 256; bin += 64)
        imageStore(result, ivec2(bin, 0), bins[bin] * PREFIX(shown) / highest);
}
