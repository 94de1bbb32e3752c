// The position of the picture that is seen through a sphere of glass.
uniform vec3 PREFIX(sphere);  // radius, refractive index, factor on the refracted ray: negative for an upright picture
uniform vec2 PREFIX(center);
uniform vec3 PREFIX(sides);

// The normal of a sphere that is seen as a disc, at an offset from its centre in radii; beyond the rim, the rim's.
vec3 PREFIX(normal)(vec2 away)
{
    float rest = max(1.0 - dot(away, away), 0.0);
    return normalize(vec3(away, sqrt(rest) + 1e-4));
}

vec2 EFFECT(vec2 position)
{
    vec2 away = (position - PREFIX(center)) * PREFIX(sides).xy / PREFIX(sphere).x;
    vec3 ray = refract(vec3(0.0, 0.0, -1.0), PREFIX(normal)(away), PREFIX(sphere).y);
    return 0.5 + 0.5 * PREFIX(sphere).z * ray.xy;
}
