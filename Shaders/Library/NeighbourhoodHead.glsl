// Passes the 3×3 pixels around a pixel of the canvas to an effect. The image has the effect's size.
//
// UPRIGHT  neighbours on the canvas are neighbours in the image: four pixels share the six columns that they read,
//          and eight pixels share the rows, too
uniform ivec4 imageSize;  // width and height

vec4 pixelAt(ivec2 place)
{
    vec4 color = rgba(clamp(place, ivec2(0), imageSize.xy - 1));
#ifdef ALPHA_PART
    color.rgb /= max(color.a, 1.0 / 1024.0);
#endif
    return color;
}

vec4 head(vec2 p)
{
    ivec2 center = ivec2(floor(locate(p)));
    vec4 around[9];
    for (int i = 0; i < 9; i++)
        around[i] = pixelAt(center + ivec2(i % 3 - 1, i / 3 - 1));
    return NEIGHBOURHOOD(around);
}
#ifdef UPRIGHT

void readRow(ivec2 first, out vec4 row[6])
{
    for (int i = 0; i < 6; i++)
        row[i] = pixelAt(first + ivec2(i, 0));
}

vec4 within(vec4 above[6], vec4 own[6], vec4 under[6], int left)
{
    return NEIGHBOURHOOD(vec4[9](
        above[left], above[left + 1], above[left + 2], own[left], own[left + 1], own[left + 2],
        under[left], under[left + 1], under[left + 2]));
}

void withinAll(vec4 above[6], vec4 own[6], vec4 under[6], out vec4 c[4])
{
    c[0] = within(above, own, under, 0);
    c[1] = within(above, own, under, 1);
    c[2] = within(above, own, under, 2);
    c[3] = within(above, own, under, 3);
}

void headQuad(vec2 p, out vec4 c[4])
{
    ivec2 first = ivec2(floor(locate(p))) - 1;
    vec4 above[6], own[6], under[6];
    readRow(first, above);
    readRow(first + ivec2(0, 1), own);
    readRow(first + ivec2(0, 2), under);
    withinAll(above, own, under, c);
}

void headBlock(vec2 p, vec2 below, out vec4 c[4], out vec4 d[4])
{
    ivec2 first = ivec2(floor(locate(p))) - 1;
    vec4 above[6], own[6], under[6], last[6];
    readRow(first, above);
    readRow(first + ivec2(0, 1), own);
    readRow(first + ivec2(0, 2), under);
    readRow(first + ivec2(0, 3), last);
    withinAll(above, own, under, c);
    withinAll(own, under, last, d);
    // The last row has no row below it.
    if (below.y == p.y)
        d = c;
}
#endif
