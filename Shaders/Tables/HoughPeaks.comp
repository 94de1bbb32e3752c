// Lists the lines with the most votes: their number, then each line's normal, distance from the centre, and votes.
uniform vec4 PREFIX(how);  // least votes per pixel of the shorter side, largest distance, number of directions, most lines

const int PREFIX(limit) = 256;
shared uint PREFIX(found);
shared vec2 PREFIX(peaks)[256];  // number of the bin, votes

// The votes of a bin. Directions repeat after half a turn, with distances of the opposite sign.
float PREFIX(votes)(int direction, int away)
{
    int directions = int(PREFIX(how).z);
    if (direction < 0 || direction >= directions) {
        direction += direction < 0 ? directions : -directions;
        away = 255 - away;
    }
    return away < 0 || away > 255 ? 0.0 : texelFetch(table, ivec2(away, direction), 0).r;
}

// Non-maximum suppression: true where no neighbour has more votes; among equal bins, only the first is a peak.
bool PREFIX(isPeak)(int direction, int away, float own)
{
    for (int j = -5; j <= 5; j++) {
        for (int i = -4; i <= 4; i++) {
            float other = PREFIX(votes)(direction + j, away + i);
            if (other > own || (other == own && (j < 0 || (j == 0 && i < 0))))
                return false;
        }
    }
    return true;
}

void EFFECT()
{
    if (lane == 0)
        PREFIX(found) = 0u;
    meet();
    float least = max(PREFIX(how).x * float(min(pictureSize.x, pictureSize.y)), 2.0);
    int count = int(PREFIX(how).z) * 256;
    for (int bin = lane; bin < count; bin += 64) {
        float own = texelFetch(table, ivec2(bin & 255, bin >> 8), 0).r;
        if (own >= least && PREFIX(isPeak)(bin >> 8, bin & 255, own)) {
            int number = int(atomicAdd(PREFIX(found), 1u));
            if (number < PREFIX(limit))
                PREFIX(peaks)[number] = vec2(float(bin), own);
        }
    }
    meet();
    int found = min(int(PREFIX(found)), PREFIX(limit));
    for (int i = lane; i < found; i += 64) {
        vec2 own = PREFIX(peaks)[i];
        int rank = 0;
        for (int j = 0; j < found; j++) {
            vec2 other = PREFIX(peaks)[j];
            if (other.y > own.y || (other.y == own.y && other.x < own.x))
                rank++;
        }
        if (rank < int(PREFIX(how).w)) {
            int bin = int(own.x);
            float angle = 3.14159265 * float(bin >> 8) / PREFIX(how).z;
            float away = ((float(bin & 255) + 0.5) / 128.0 - 1.0) * PREFIX(how).y;
            imageStore(result, ivec2(1 + rank, 0), vec4(cos(angle), sin(angle), away, own.y));
        }
    }
    if (lane == 0)
        imageStore(result, ivec2(0, 0), vec4(float(min(found, int(PREFIX(how).w)))));
}
