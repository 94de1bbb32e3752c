uniform vec3 PREFIX(key);
uniform vec2 PREFIX(range);   // colour distances at which the base is replaced and kept
uniform float PREFIX(spill);  // 0…1

vec4 BLEND(vec4 base, vec4 over, float mask, vec2 position)
{
    const vec3 weights = vec3(0.2989, 0.5866, 0.1145);
    vec3 away = base.rgb - PREFIX(key);
    float y = dot(away, weights);
    float d = length(vec2(0.7132 * (away.r - y), 0.5647 * (away.b - y)));
    float gone = (1.0 - smoothstep(PREFIX(range).x, PREFIX(range).y, d)) * over.a * mask;
    // Spill is the part of the base's chroma in the key's direction: light that the backdrop reflects.
    vec3 hue = PREFIX(key) - dot(PREFIX(key), weights);
    vec3 color = base.rgb - dot(base.rgb, weights);
    float spilled = max(dot(color, hue), 0.0) / max(dot(hue, hue), 1e-6);
    vec3 clean = base.rgb - PREFIX(spill) * spilled * hue;
    return vec4(mix(clean, over.rgb, gone), mix(base.a, 1.0, gone));
}
