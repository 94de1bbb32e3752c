// The part of a picture that is brighter than a cutoff.
uniform float PREFIX(cutoff);

vec4 EFFECT(vec4 color, vec2 position) { return vec4(max(color.rgb - PREFIX(cutoff), 0.0), color.a); }
