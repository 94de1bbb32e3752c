// Shows the background outside the picture, with smooth edges.
uniform mat3 PREFIX(map);
uniform vec2 PREFIX(pixels);  // the picture's size in pixels
uniform vec3 PREFIX(background);

vec4 EFFECT(vec4 color, vec2 position)
{
    vec3 place = PREFIX(map) * vec3(position, 1.0);
    vec2 inside = 0.5 - abs(place.xy / max(place.z, 1e-4) - 0.5);
    vec2 edge = clamp(inside * PREFIX(pixels) + 0.5, 0.0, 1.0);
    float share = place.z > 1e-4 ? edge.x * edge.y : 0.0;
    return vec4(mix(PREFIX(background), color.rgb, share), color.a);
}
