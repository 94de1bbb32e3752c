uniform vec3 PREFIX(luma);
uniform vec2 PREFIX(frost);  // saturation, reduction of contrast

vec4 EFFECT(vec4 color, vec2 position)
{
    float light = dot(color.rgb, PREFIX(luma));
    vec3 c = mix(vec3(light), color.rgb, PREFIX(frost).x);
    return vec4(c + (0.5 - light) * PREFIX(frost).y, color.a);
}
