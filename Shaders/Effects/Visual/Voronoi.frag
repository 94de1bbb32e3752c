// The picture's colour at the nearest of many points.
uniform vec4 PREFIX(marks)[64];  // given points, 0…1
uniform vec2 PREFIX(how);        // number of given points; 1 to draw the nearest point's position
uniform vec3 PREFIX(mesh);       // size of a cell in shorter sides, irregularity, seed
uniform vec3 PREFIX(sides);

// Two numbers, 0…1, for a cell.
//
// Source: Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 2020: pcg2d.
vec2 PREFIX(chance)(ivec2 cell)
{
    uvec2 v = uvec2(cell + 32768) + uvec2(int(PREFIX(mesh).z) * 7919);
    v = v * 1664525u + 1013904223u;
    v.x += v.y * 1664525u;
    v.y += v.x * 1664525u;
    v ^= v >> 16u;
    v.x += v.y * 1664525u;
    v.y += v.x * 1664525u;
    v ^= v >> 16u;
    return vec2(v >> 8u) / 16777216.0;
}

vec2 PREFIX(nearest)(vec2 place)
{
    ivec2 own = ivec2(floor(place));
    vec2 best = vec2(0.0);
    float least = 1e9;
    // A point two cells away in both directions is never nearer than the cell's own point.
    for (int j = -2; j <= 2; j++) {
        for (int i = -2; i <= 2; i++) {
            if (abs(i) == 2 && abs(j) == 2)
                continue;
            ivec2 cell = own + ivec2(i, j);
            vec2 point = vec2(cell) + 0.5 + (PREFIX(chance)(cell) - 0.5) * PREFIX(mesh).y;
            float away = dot(place - point, place - point);
            if (away < least) {
                least = away;
                best = point;
            }
        }
    }
    return best;
}

vec4 EFFECT(vec2 position)
{
    vec2 point = vec2(0.5);
    int count = int(PREFIX(how).x);
    if (count == 0) {
        vec2 scale = PREFIX(sides).xy / PREFIX(mesh).x;
        point = PREFIX(nearest)(position * scale) / scale;
    }
    float least = 1e9;
    for (int i = 0; i < count; i++) {
        vec2 away = (position - PREFIX(marks)[i].xy) * PREFIX(sides).xy;
        if (dot(away, away) < least) {
            least = dot(away, away);
            point = PREFIX(marks)[i].xy;
        }
    }
    point = clamp(point, 0.0, 1.0);
    vec4 own = SAMPLE(PREFIX(how).y > 0.5 ? position : point);
    return PREFIX(how).y > 0.5 ? vec4(point * own.a, 0.0, own.a) : own;
}
