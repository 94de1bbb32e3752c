uniform vec2 PREFIX(distance);  // haze at the top, and its increase towards the bottom
uniform vec3 PREFIX(haze);      // the haze's colour

vec4 EFFECT(vec4 color, vec2 position)
{
    float d = PREFIX(distance).x + PREFIX(distance).y * position.y;
    return vec4((color.rgb - d * PREFIX(haze)) / (1.0 - d), color.a);
}
