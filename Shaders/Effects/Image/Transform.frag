uniform mat3 PREFIX(map);  // from the output to the picture, homogeneous

vec2 EFFECT(vec2 position)
{
    vec3 place = PREFIX(map) * vec3(position, 1.0);
    // Behind the eye there is nothing.
    return place.z > 1e-4 ? clamp(place.xy / place.z, -1.0, 2.0) : vec2(2.0);
}
