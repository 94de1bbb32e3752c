// The blend of one component.
float BLEND_part(float b, float o) { return b < 0.5 ? 2.0 * b * o : 1.0 - 2.0 * (1.0 - b) * (1.0 - o); }

vec3 BLEND(vec3 b, vec3 o) { return vec3(BLEND_part(b.r, o.r), BLEND_part(b.g, o.g), BLEND_part(b.b, o.b)); }
