// Source: W3C, Compositing and Blending Level 1, "Non-separable blend modes".
float BLEND_lum(vec3 c) { return dot(c, vec3(0.3, 0.59, 0.11)); }

vec3 BLEND_clip(vec3 c)
{
    float l = BLEND_lum(c);
    float least = min(c.r, min(c.g, c.b));
    float most = max(c.r, max(c.g, c.b));
    if (least < 0.0)
        c = l + (c - l) * l / max(l - least, 1e-6);
    if (most > 1.0)
        c = l + (c - l) * (1.0 - l) / max(most - l, 1e-6);
    return c;
}

vec3 BLEND_setLum(vec3 c, float l) { return BLEND_clip(c + (l - BLEND_lum(c))); }

vec3 BLEND(vec3 b, vec3 o) { return BLEND_setLum(o, BLEND_lum(b)); }
