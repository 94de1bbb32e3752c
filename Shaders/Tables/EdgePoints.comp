// Lists the white pixels of a cell of 16×16: their number, then their positions, 0…1.
shared uint PREFIX(count);

void EFFECT()
{
    if (lane == 0)
        PREFIX(count) = 0u;
    meet();
    ivec2 cell = ivec2(gl_WorkGroupID.xy);
    int row = cell.y * int(gl_NumWorkGroups.x) + cell.x;
    for (int i = lane; i < 256; i += 64) {
        ivec2 at = cell * 16 + ivec2(i & 15, i >> 4);
        if (all(lessThan(at, pictureSize)) && PICTURE(at).r > 0.5) {
            int number = int(atomicAdd(PREFIX(count), 1u));
            imageStore(result, ivec2(1 + number, row), vec4((vec2(at) + 0.5) / vec2(pictureSize), 0.0, 0.0));
        }
    }
    meet();
    if (lane == 0)
        imageStore(result, ivec2(0, row), vec4(float(PREFIX(count))));
}
