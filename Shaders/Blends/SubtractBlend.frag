vec3 BLEND(vec3 b, vec3 o) { return max(b - o, 0.0); }
