vec3 BLEND(vec3 b, vec3 o) { return clamp(b + 2.0 * o - 1.0, 0.0, 1.0); }
