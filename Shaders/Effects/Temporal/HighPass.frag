vec4 EFFECT(vec4 color, vec4 other, vec2 position) { return vec4(abs(color.rgb - other.rgb), color.a); }
