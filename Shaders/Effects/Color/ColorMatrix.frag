uniform vec3 PREFIX(rows)[3];
uniform vec3 PREFIX(offset);
uniform vec4 PREFIX(alpha);  // the row for alpha: factors of red, green, blue and alpha

vec4 EFFECT(vec4 color, vec2 position)
{
    vec3 mixed = vec3(dot(PREFIX(rows)[0], color.rgb), dot(PREFIX(rows)[1], color.rgb), dot(PREFIX(rows)[2], color.rgb));
    return vec4(mixed + PREFIX(offset), clamp(dot(PREFIX(alpha), color), 0.0, 1.0));
}
