uniform vec3 PREFIX(luma);
uniform vec3 PREFIX(bokeh);  // radius in pixels, additional weight of bright pixels, rotation

vec4 EFFECT(vec2 position)
{
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int ring = 0; ring < 5; ring++)
        for (int i = 0; i < max(6 * ring, 1); i++) {
            // The sample lies on a side of the hexagon, between two corners.
            int side = i / max(ring, 1);
            float part = float(i - side * ring) / float(max(ring, 1));
            float from = PREFIX(bokeh).z + float(side) * 1.04719755;
            vec2 away = mix(vec2(cos(from), sin(from)), vec2(cos(from + 1.04719755), sin(from + 1.04719755)), part);
            vec4 c = SAMPLE(position + away * (float(ring) * 0.25 * PREFIX(bokeh).x) * TEXEL);
            float light = dot(c.rgb, PREFIX(luma));
            float weight = 1.0 + PREFIX(bokeh).y * light * light * light * light;
            sum += weight * c;
            weights += weight;
        }
    return sum / weights;
}
