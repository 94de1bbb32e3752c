vec3 BLEND(vec3 b, vec3 o) { return max(b + o - 1.0, 0.0); }
