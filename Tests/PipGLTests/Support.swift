import PipFrames

@testable import PipGL

extension RenderTarget {
    /// The target's bytes in packed rows, after waiting for the GPU.
    func bytes(attachment: Int = 0, on gpu: isolated RenderContext) throws -> [UInt8] {
        let format = textures[attachment].format
        if canRead(attachment: attachment, as: format, on: gpu) {
            return try bytes(attachment: attachment, as: format, on: gpu)
        }
        // Drivers that cannot read the target's format can read four components. The surplus is dropped.
        let components = format.componentCount
        return try bytes(attachment: attachment, as: .rgba8, on: gpu).enumerated()
            .filter { $0.offset % 4 < components }.map(\.element)
    }

    private func bytes(attachment: Int, as format: TextureFormat, on gpu: isolated RenderContext) throws -> [UInt8] {
        let stride = size.width * format.bytesPerTexel
        let buffer = try ReadbackBuffer(byteCount: stride * size.height, on: gpu)
        try buffer.read(
            from: self, attachment: attachment, region: size.bounds, format: format, strideInBytes: stride, on: gpu)
        gpu.finish()
        return unsafe try buffer.withMapped(on: gpu) { bytes throws(GLError) in unsafe [UInt8](bytes) }
    }

    /// The components of the target's pixels, for a format of 32-bit floats.
    func floats(attachment: Int = 0, on gpu: isolated RenderContext) throws -> [Float] {
        unsafe try bytes(attachment: attachment, on: gpu).withUnsafeBytes {
            unsafe [Float]($0.bindMemory(to: Float.self))
        }
    }
}

extension Texture {
    /// Makes a texture with contents in packed rows.
    convenience init<Element>(
        size: PixelSize, format: TextureFormat, _ elements: [Element], on gpu: isolated RenderContext
    ) throws {
        try self.init(size: size, format: format, on: gpu)
        unsafe elements.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe upload(
                from: start, strideInBytes: size.width * format.bytesPerTexel, region: size.bounds, on: gpu)
        }
    }
}

extension Program {
    /// Makes a program that draws rectangles with a fragment shader.
    static func test(_ fragment: String, label: String = "test", on gpu: isolated RenderContext) throws -> Program {
        try Program(
            label: label, vertex: [VertexlessQuad.chunk],
            fragment: [ShaderChunk(name: "\(label).frag", text: fragment)], on: gpu)
    }

    /// A fragment shader that copies texture unit 0 one to one.
    static let copy = """
        precision highp float;
        layout(binding = 0) uniform sampler2D image;
        layout(location = 0) out vec4 color;
        void main() { color = texelFetch(image, ivec2(gl_FragCoord.xy), 0); }
        """

    /// A fragment shader that paints the colour `paint` everywhere.
    static let solid = """
        precision highp float;
        uniform vec4 paint;
        layout(location = 0) out vec4 color;
        void main() { color = paint; }
        """
}

/// Pseudorandom bytes, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}
