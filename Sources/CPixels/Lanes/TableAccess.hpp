// The variables and functions that a shader of a table may use. The lanes of a work group run one after the other.
struct TableAccess {
    int lane;
    Vec<unsigned, 3> gl_WorkGroupID, gl_NumWorkGroups;
    Vec<int, 2> pictureSize;
    PipTexture picture, table, result;
    bool hasAlpha;

    // Reads a pixel of the picture, with straight (unpremultiplied) colours.
    INLINE Vec<float, 4> PICTURE(Vec<int, 2> place) const
    {
        Vec<float, 4> color = texelFetch(picture, place, 0);
        if (!hasAlpha)
            return {color.x, color.y, color.z, 1.0f};
        float alpha = max(color.w, 1.0f / 1024.0f);
        return {color.x / alpha, color.y / alpha, color.z / alpha, color.w};
    }
    // Writes a texel; ignores positions beyond the table.
    INLINE void imageStore(const PipTexture &image, Vec<int, 2> place, Vec<float, 4> value) const
    {
        if (place.x < 0 || place.y < 0 || place.x >= image.width || place.y >= image.height)
            return;
        float *texel = (float *)((char *)const_cast<void *>(image.texels) + (int64_t)place.y * image.stride) + 4 * place.x;
        texel[0] = value.x;
        texel[1] = value.y;
        texel[2] = value.z;
        texel[3] = value.w;
    }
    INLINE unsigned atomicAdd(unsigned &counter, unsigned value) const
    {
        unsigned before = counter;
        counter += value;
        return before;
    }
};

template<class T> static void makeTable(const PipTableRun *run)
{
    static thread_local T maker;
    PipEffectRow row = {};
    row.uniforms = run->uniforms;
    maker.open(row);
    maker.picture = run->picture;
    maker.table = run->table;
    maker.result = run->result;
    maker.hasAlpha = run->hasAlpha != 0;
    maker.pictureSize = {run->picture.width, run->picture.height};
    maker.gl_NumWorkGroups = {(unsigned)run->groupsAcross, (unsigned)run->groupsDown, 1u};
    for (int32_t down = 0; down < run->groupsDown; down++)
        for (int32_t across = 0; across < run->groupsAcross; across++) {
            maker.gl_WorkGroupID = {(unsigned)across, (unsigned)down, 0u};
            maker.run();
        }
}
