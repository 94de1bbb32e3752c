// One colour everywhere.
uniform vec4 solid;

vec4 head(vec2 p) { return solid; }
