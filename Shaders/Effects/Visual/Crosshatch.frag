uniform vec3 PREFIX(luma);
uniform vec3 PREFIX(sides);
uniform vec2 PREFIX(lines);  // spacing, width

// The coverage of a set of lines at the coordinate `along`.
float PREFIX(ink)(float along)
{
    float away = abs(fract(along / PREFIX(lines).x + 0.5) - 0.5) * PREFIX(lines).x;
    return clamp((0.5 * PREFIX(lines).y - away) / (1.41421356 * PREFIX(sides).z) + 0.5, 0.0, 1.0);
}

vec4 EFFECT(vec4 color, vec2 position)
{
    float light = dot(color.rgb, PREFIX(luma));
    vec2 place = position * PREFIX(sides).xy;
    float ink = light < 1.0 ? PREFIX(ink)(place.x + place.y) : 0.0;
    if (light < 0.75)
        ink = max(ink, PREFIX(ink)(place.x - place.y));
    if (light < 0.5)
        ink = max(ink, PREFIX(ink)(place.x + place.y - 0.5 * PREFIX(lines).x));
    if (light < 0.3)
        ink = max(ink, PREFIX(ink)(place.x - place.y - 0.5 * PREFIX(lines).x));
    return vec4(vec3(1.0 - ink), color.a);
}
