// Draws the result of other operations instead of the picture.
vec4 EFFECT(vec4 color, vec4 other, vec2 position) { return other; }
