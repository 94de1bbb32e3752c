// Adds highlights to a sphere of glass, and draws black around the sphere.
uniform vec3 PREFIX(sphere);  // radius, refractive index, factor on the refracted ray: negative for an upright picture
uniform float PREFIX(shine);  // strength of the rim's and the spot's light
uniform vec2 PREFIX(center);
uniform vec3 PREFIX(sides);

// The normal of a sphere that is seen as a disc, at an offset from its centre in radii; beyond the rim, the rim's.
vec3 PREFIX(normal)(vec2 away)
{
    float rest = max(1.0 - dot(away, away), 0.0);
    return normalize(vec3(away, sqrt(rest) + 1e-4));
}

vec4 EFFECT(vec4 color, vec2 position)
{
    vec2 away = (position - PREFIX(center)) * PREFIX(sides).xy / PREFIX(sphere).x;
    vec3 normal = PREFIX(normal)(away);
    float rim = 2.5 * (1.0 - pow(clamp(normal.z, 0.0, 1.0), 0.25));
    float spot = 0.8 * pow(clamp(dot(normalize(vec3(-0.5, 0.5, 1.0)), normal), 0.0, 1.0), 15.0);
    float inside = clamp((1.0 - length(away)) * PREFIX(sphere).x / PREFIX(sides).z + 0.5, 0.0, 1.0);
    return vec4((color.rgb + PREFIX(shine) * (rim + spot)) * inside, color.a);
}
