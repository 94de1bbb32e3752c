uniform vec2 PREFIX(amounts);  // strength in shadows and in highlights, 0…1
uniform vec3 PREFIX(shadowTint);
uniform vec3 PREFIX(highlightTint);
uniform vec3 PREFIX(weights);  // luma weights of red, green and blue

vec4 EFFECT(vec4 color, vec2 position)
{
    float y = clamp(dot(color.rgb, PREFIX(weights)), 0.0, 1.0);
    vec3 dark = mix(color.rgb, max(color.rgb, mix(PREFIX(shadowTint), color.rgb, y)), PREFIX(amounts).x);
    vec3 bright = mix(color.rgb, min(dark, mix(dark, PREFIX(highlightTint), y)), PREFIX(amounts).y);
    return vec4(mix(dark, bright, y), color.a);
}
