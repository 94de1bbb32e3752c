// Compares a pixel with a ring of eight pixels around it, or finds the direction in which the ring's colours lean.
uniform vec2 PREFIX(how);  // scale of the ring; 1 to draw the direction

const vec2 PREFIX(ring)[8] = vec2[8](
    vec2(3, 1), vec2(1, 3), vec2(-1, 3), vec2(-3, 1), vec2(-3, -1), vec2(-1, -3), vec2(1, -3), vec2(3, -1));

vec4 EFFECT(vec2 position)
{
    vec4 own = SAMPLE(position);
    vec3 sum = vec3(0.0);
    vec3 across = vec3(0.0);
    vec3 down = vec3(0.0);
    for (int i = 0; i < 8; i++) {
        vec3 point = SAMPLE(position + PREFIX(ring)[i] * PREFIX(how).x * TEXEL).rgb;
        sum += point;
        across += point * PREFIX(ring)[i].x;
        down += point * PREFIX(ring)[i].y;
    }
    vec3 change = sum * 0.125 - own.rgb;
    if (PREFIX(how).y < 0.5)
        return vec4((change + own.a) * 0.5, own.a);
    vec2 lean = vec2(dot(abs(change), across), dot(abs(change), down));
    // A lean straight to the left is always drawn as 1: its angle is π, never -π.
    lean.y = abs(lean.y) < 1e-4 ? 0.0 : lean.y;
    float angle = dot(lean, lean) > 1e-10 ? atan(lean.y, lean.x) : 0.0;
    return vec4(vec3(angle / 6.28318531 + 0.5) * own.a, own.a);
}
