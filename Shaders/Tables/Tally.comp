// Counts the values of red, green, blue and luma in a cell of the picture.
uniform ivec2 PREFIX(cells);
uniform float PREFIX(isPadded);
uniform vec3 PREFIX(luma);  // weights of red, green and blue, in parts of 65536
uniform vec3 PREFIX(how);   // step between counted pixels; 1 to count colours; 1 to count luma

shared uint PREFIX(counts)[1024];

// Reflects a position beyond the last pixel back into the picture.
int PREFIX(mirrored)(int place, int size)
{
    return size == 1 ? 0 : size - 1 - abs(place % (2 * size - 2) - (size - 1));
}

void EFFECT()
{
    for (int i = lane; i < 1024; i += 64)
        PREFIX(counts)[i] = 0u;
    meet();
    ivec2 cell = ivec2(gl_WorkGroupID.xy);
    ivec2 size = (pictureSize + PREFIX(cells) - 1) / PREFIX(cells);
    ivec2 first = cell * size;
    bool isPadded = PREFIX(isPadded) > 0.5;
    if (!isPadded)
        size = max(min(size, pictureSize - first), ivec2(0));
    int stride = int(PREFIX(how).x);
    ivec2 count = (size + stride - 1) / stride;
    for (int i = lane; i < count.x * count.y; i += 64) {
        ivec2 at = first + ivec2(i % count.x, i / count.x) * stride;
        if (isPadded)
            at = ivec2(PREFIX(mirrored)(at.x, pictureSize.x), PREFIX(mirrored)(at.y, pictureSize.y));
        vec3 codes = floor(clamp(PICTURE(at).rgb, 0.0, 1.0) * 255.0 + 0.5);
        if (PREFIX(how).y > 0.5) {
            atomicAdd(PREFIX(counts)[int(codes.r)], 1u);
            atomicAdd(PREFIX(counts)[256 + int(codes.g)], 1u);
            atomicAdd(PREFIX(counts)[512 + int(codes.b)], 1u);
        }
        if (PREFIX(how).z > 0.5)
            atomicAdd(PREFIX(counts)[768 + int((dot(codes, PREFIX(luma)) + 32768.0) / 65536.0)], 1u);
    }
    meet();
    for (int bin = lane; bin < 256; bin += 64) {
        uvec4 counts = uvec4(PREFIX(counts)[bin], PREFIX(counts)[256 + bin], PREFIX(counts)[512 + bin], PREFIX(counts)[768 + bin]);
        imageStore(result, ivec2(bin, cell.y * PREFIX(cells).x + cell.x), vec4(counts));
    }
}
