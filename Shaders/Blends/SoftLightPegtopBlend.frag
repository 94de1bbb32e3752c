vec3 BLEND(vec3 b, vec3 o) { return b * (b + 2.0 * o * (1.0 - b)); }
