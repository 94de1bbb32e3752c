uniform vec3 PREFIX(band);  // top, bottom, falloff

vec4 EFFECT(vec4 color, vec4 other, vec2 position)
{
    float above = 1.0 - smoothstep(PREFIX(band).x - PREFIX(band).z, PREFIX(band).x, position.y);
    float below = smoothstep(PREFIX(band).y, PREFIX(band).y + PREFIX(band).z, position.y);
    return mix(color, other, clamp(above + below, 0.0, 1.0));
}
