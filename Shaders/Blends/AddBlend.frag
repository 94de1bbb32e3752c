vec3 BLEND(vec3 b, vec3 o) { return min(b + o, 1.0); }
