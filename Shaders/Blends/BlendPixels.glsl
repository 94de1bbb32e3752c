
vec4 EFFECT_whole(vec4 base, vec4 over, float mask, vec2 position) { return BLEND(base, over, mask, position); }
