// Computes four neighbouring pixels, one by one.
void headQuad(vec2 p, out vec4 c[4])
{
    for (int i = 0; i < 4; i++)
        c[i] = head(p + vec2(i, 0));
}

// Computes four pixels of a row, and the four pixels below them.
void headBlock(vec2 p, vec2 below, out vec4 c[4], out vec4 d[4])
{
    headQuad(p, c);
    headQuad(below, d);
}
