// Counts the listed points on each line of one direction, keyed by the line's distance from the picture's centre.
uniform vec3 PREFIX(how);    // rows of the list, largest distance, number of directions
uniform vec3 PREFIX(sides);

shared uint PREFIX(votes)[256];

void EFFECT()
{
    for (int i = lane; i < 256; i += 64)
        PREFIX(votes)[i] = 0u;
    meet();
    int direction = int(gl_WorkGroupID.y);
    float angle = 3.14159265 * float(direction) / PREFIX(how).z;
    vec2 normal = vec2(cos(angle), sin(angle)) * PREFIX(sides).xy;
    for (int row = 0; row < int(PREFIX(how).x); row++) {
        int count = clamp(int(texelFetch(table, ivec2(0, row), 0).r), 0, 256);
        for (int i = lane; i < count; i += 64) {
            float away = dot(texelFetch(table, ivec2(1 + i, row), 0).rg - 0.5, normal);
            int bin = int((away / PREFIX(how).y * 0.5 + 0.5) * 256.0);
            atomicAdd(PREFIX(votes)[clamp(bin, 0, 255)], 1u);
        }
    }
    meet();
    for (int i = lane; i < 256; i += 64)
        imageStore(result, ivec2(i, direction), vec4(float(PREFIX(votes)[i])));
}
