// A curve as a table over the square root of its argument, which is finer near black. A texel holds a value and the step to the next one.
float alongCurve(sampler2D table, float value)
{
    float place = sqrt(clamp(value, 0.0, 1.0)) * 1023.0;
    float index = min(floor(place), 1022.0);
    vec2 entry = texelFetch(table, ivec2(int(index), 0), 0).rg;
    return entry.x + (place - index) * entry.y;
}

vec3 alongCurve(sampler2D table, vec3 color)
{
    return vec3(alongCurve(table, color.r), alongCurve(table, color.g), alongCurve(table, color.b));
}
