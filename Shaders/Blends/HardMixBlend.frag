vec3 BLEND(vec3 b, vec3 o) { return step(1.0, b + o); }
