// A curve as a table over the square root of its argument, which is finer near black. A texel holds a value and the
// step to the next value; `columns` are the rows of the table for red, green and blue.
float alongCurve(sampler2D table, float value, int column)
{
    float place = sqrt(clamp(value, 0.0, 1.0)) * 1023.0;
    float index = min(floor(place), 1022.0);
    vec2 entry = texelFetch(table, ivec2(int(index), column), 0).rg;
    return entry.x + (place - index) * entry.y;
}

vec3 alongCurve(sampler2D table, vec3 color, ivec3 columns)
{
    return vec3(
        alongCurve(table, color.r, columns.r), alongCurve(table, color.g, columns.g),
        alongCurve(table, color.b, columns.b));
}
