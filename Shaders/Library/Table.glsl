// The declarations of a compute shader that makes a table.
//
// ALPHA  the picture's colours are premultiplied
layout(local_size_x = 64) in;
layout(rgba32f, binding = 0) writeonly uniform highp image2D result;
uniform sampler2D picture;
uniform sampler2D table;    // the result of the previous step
uniform ivec2 pictureSize;

#define lane int(gl_LocalInvocationIndex)

// Waits until all lanes can read the values that the others have written.
void meet()
{
    memoryBarrierShared();
    barrier();
}

vec4 PICTURE(ivec2 pixel)
{
    vec4 c = texelFetch(picture, pixel, 0);
#ifdef ALPHA
    c.rgb /= max(c.a, 1.0 / 1024.0);
    return c;
#else
    return vec4(c.rgb, 1.0);
#endif
}
