vec3 BLEND(vec3 b, vec3 o) { return dot(o, vec3(0.3, 0.59, 0.11)) > dot(b, vec3(0.3, 0.59, 0.11)) ? o : b; }
