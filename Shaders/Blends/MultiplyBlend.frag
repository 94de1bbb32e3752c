vec3 BLEND(vec3 b, vec3 o) { return b * o; }
