// Four neighbouring pixels, one by one.
void headQuad(vec2 p, out vec4 c[4])
{
    for (int i = 0; i < 4; i++)
        c[i] = head(p + vec2(i, 0));
}
