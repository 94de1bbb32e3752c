// Mixes in a blur.
uniform float PREFIX(amount);

vec4 EFFECT(vec4 color, vec4 other, vec2 position) { return vec4(mix(color.rgb, other.rgb, PREFIX(amount)), color.a); }
