// The curve of a tile's histogram, in alpha. The histogram is clipped, and the excess is spread over all bins. Red and
// green hold the picture's size.
uniform float PREFIX(clip);  // the highest count, in multiples of the mean count

void EFFECT()
{
    int row = int(gl_WorkGroupID.y);
    loadBins(row, 1);
    float area = 0.0;
    for (int bin = 0; bin < 256; bin++)
        area += bins[bin].a;
    float limit = max(floor(PREFIX(clip) * area / 256.0), 1.0);
    float excess = 0.0;
    for (int bin = 0; bin < 256; bin++)
        excess += max(bins[bin].a - limit, 0.0);
    meet();
    float batch = floor(excess / 256.0);
    int residual = int(excess - batch * 256.0);
    int stride = max(256 / max(residual, 1), 1);
    for (int bin = lane; bin < 256; bin += 64) {
        float extra = bin % stride == 0 && bin / stride < residual ? 1.0 : 0.0;
        bins[bin] = vec4(min(bins[bin].a, limit) + batch + extra);
    }
    meet();
    accumulateBins();
    for (int bin = lane; bin < 256; bin += 64)
        imageStore(result, ivec2(bin, row), vec4(vec2(pictureSize), 0.0, bins[bin].a / area));
}
