// Calls an effect that can read the whole picture.
vec4 head(vec2 p)
{
    ownPixel = ivec2(floor(locate(p)));
    vec4 c = READER((effectMap * vec3(p, 1.0)).xy);
#ifdef ALPHA_PART
    c.rgb /= max(c.a, 1.0 / 1024.0);
#endif
    return c;
}
