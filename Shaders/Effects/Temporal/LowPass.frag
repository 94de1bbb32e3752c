uniform float PREFIX(strength);

vec4 EFFECT(vec4 color, vec4 previous, vec2 position) { return mix(color, previous, PREFIX(strength)); }
