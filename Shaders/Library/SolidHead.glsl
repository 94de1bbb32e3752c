// Fills the canvas with one colour.
uniform vec4 solid;

vec4 head(vec2 p) { return solid; }
