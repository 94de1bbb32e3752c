/// Rectangles that are drawn without vertex buffers: the vertex shader makes their corners from the vertex and instance numbers.
package enum VertexlessQuad {
    /// Rectangles of one GL draw.
    ///
    /// ``DrawState`` splits longer lists.
    package static let maxRegions = 8

    /// The vertex shader.
    ///
    /// For the fragment shader it gives `position`: 0…1 over the whole target, origin top left.
    ///
    /// Texel positions are `gl_FragCoord.xy`: row 0 of a target is its top row, so nothing is ever flipped.
    package static let chunk = ShaderChunk(
        name: "VertexlessQuad.vert",
        text: """
            uniform highp ivec4 regions[8];    // x, y, width, height in texels of the target
            uniform highp vec2 targetSize;     // texels
            out highp vec2 position;

            void main() {
                highp ivec4 region = regions[gl_InstanceID];
                highp ivec2 corner = region.xy + region.zw * ivec2(gl_VertexID & 1, gl_VertexID >> 1);
                position = vec2(corner) / targetSize;
                gl_Position = vec4(position * 2.0 - 1.0, 0.0, 1.0);
            }
            """)
}
