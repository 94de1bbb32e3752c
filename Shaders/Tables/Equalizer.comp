// The histogram-equalizing curve of 256 values, for red, green, blue and luma.
uniform float PREFIX(rows);

void EFFECT()
{
    loadBins(0, int(PREFIX(rows)));
    // The count of the lowest value that occurs in each channel.
    vec4 least = vec4(0.0);
    for (int bin = 255; bin >= 0; bin--)
        least = mix(least, bins[bin], greaterThan(bins[bin], vec4(0.0)));
    meet();
    accumulateBins();
    vec4 rest = bins[255] - least;
    for (int bin = lane; bin < 256; bin += 64) {
        vec4 value = max(bins[bin] - least, 0.0) / max(rest, 1.0);
        // A channel with a single value keeps that value.
        imageStore(result, ivec2(bin, 0), mix(vec4(float(bin) / 255.0), value, greaterThan(rest, vec4(0.0))));
    }
}
