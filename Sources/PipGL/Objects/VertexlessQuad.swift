/// Draws rectangles without vertex buffers: the vertex shader computes the corners from the vertex and instance
/// numbers.
package enum VertexlessQuad {
    /// The largest number of rectangles in one GL draw call.
    ///
    /// ``DrawState`` divides longer lists into several calls.
    package static let maxRegions = 8

    /// The vertex shader, which has no outputs.
    ///
    /// A fragment shader reads its exact position from `gl_FragCoord.xy`, in texels of the target from the top left,
    /// since row 0 of a target is its top row. An interpolated position would be off by thousandths of a texel.
    package static let chunk = ShaderChunk(
        name: "VertexlessQuad.vert",
        text: """
            uniform highp ivec4 regions[8];    // x, y, width, height in texels of the target
            uniform highp vec2 targetSize;     // texels

            void main() {
                highp ivec4 region = regions[gl_InstanceID];
                highp ivec2 corner = region.xy + region.zw * ivec2(gl_VertexID & 1, gl_VertexID >> 1);
                gl_Position = vec4(vec2(corner) / targetSize * 2.0 - 1.0, 0.0, 1.0);
            }
            """)
}
