uniform mat3 PREFIX(map);  // maps the output's positions to the picture's, in homogeneous coordinates

vec2 EFFECT(vec2 position)
{
    vec3 place = PREFIX(map) * vec3(position, 1.0);
    // A position behind the viewer is mapped outside the picture.
    return place.z > 1e-4 ? clamp(place.xy / place.z, -1.0, 2.0) : vec2(2.0);
}
