uniform vec2 PREFIX(cell);  // the size of a cell, in positions

vec2 EFFECT(vec2 position) { return (floor(position / PREFIX(cell)) + 0.5) * PREFIX(cell); }
