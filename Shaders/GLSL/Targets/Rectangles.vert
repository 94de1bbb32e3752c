// Draws rectangles of texels without vertex buffers: instance n is regions[n].
uniform ivec4 regions[8];  // x, y, width, height in texels
uniform vec2 targetSize;   // of the target, in texels

void main()
{
    ivec4 region = regions[gl_InstanceID];
    vec2 corner = vec2(region.xy) + vec2(gl_VertexID & 1, gl_VertexID >> 1) * vec2(region.zw);
    gl_Position = vec4(corner / targetSize * 2.0 - 1.0, 0.0, 1.0);
}
