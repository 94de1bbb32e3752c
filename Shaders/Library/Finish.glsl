// Converts a chain's result to Y'CbCr. A row holds three factors and an offset.
uniform vec4 lumaRow;
uniform vec4 cbRow;
uniform vec4 crRow;

float lumaOf(vec3 c) { return dot(lumaRow.xyz, c) + lumaRow.w; }
vec2 chromaOf(vec3 c) { return vec2(dot(cbRow.xyz, c) + cbRow.w, dot(crRow.xyz, c) + crRow.w); }
