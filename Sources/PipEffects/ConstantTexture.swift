public import PipFrames

/// The texel format of an effect's own texture: the components and their type.
public enum TexelFormat: String, Sendable, Hashable {
    case r8, rg8, rgb8, rgba8, rg32f, rgba16f, rgba32f

    /// The number of bytes in one texel.
    package var bytesPerTexel: Int {
        switch self {
        case .r8: 1
        case .rg8: 2
        case .rgb8: 3
        case .rgba8: 4
        case .rg32f, .rgba16f: 8
        case .rgba32f: 16
        }
    }
}

/// A small constant texture that a shader reads, such as a lookup table.
///
/// The texels are computed when a renderer prepares the texture. Textures with equal labels must have equal texels.
public struct ConstantTexture: Sendable, Hashable {
    /// The identity of the texels, with all values that they depend on, such as `curve gamma 2.2`.
    public let label: String
    /// The size in texels.
    public let size: PixelSize
    /// The components of a texel, and their type.
    public let format: TexelFormat
    private let make: @Sendable () -> [UInt8]

    /// Creates a texture from bytes.
    ///
    /// - Parameters:
    ///   - label: The identity of the texels: textures with equal labels must have equal texels.
    ///   - size: The size in texels.
    ///   - format: The texel format. In formats of 8 bits, a byte of 255 stands for 1.
    ///   - make: Returns `format.bytesPerTexel` bytes for each texel, row by row without padding. Called on the render
    ///     thread when the texture is prepared.
    public init(label: String, size: PixelSize, format: TexelFormat, bytes make: @escaping @Sendable () -> [UInt8]) {
        self.label = label
        self.size = size
        self.format = format
        self.make = make
    }

    /// Creates a texture from 32-bit floats, two (`rg32f`) or four (`rgba32f`) for each texel, row by row.
    public init(label: String, size: PixelSize, format: TexelFormat, floats make: @escaping @Sendable () -> [Float]) {
        self.init(
            label: label, size: size, format: format,
            bytes: {
                unsafe make().withUnsafeBytes { unsafe Array($0) }
            })
    }

    /// The bytes of the texels; nil when the closure returns fewer bytes than the size demands.
    package var texels: [UInt8]? {
        let bytes = make()
        return bytes.count >= size.area * format.bytesPerTexel ? bytes : nil
    }

    /// Compares labels, sizes and formats.
    public static func == (left: ConstantTexture, right: ConstantTexture) -> Bool {
        left.label == right.label && left.size == right.size && left.format == right.format
    }

    /// Hashes the label.
    public func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

/// A texture that an effect's shader reads through a sampler, declared as `uniform sampler2D PREFIX(name);`.
public struct TextureUniform: Sendable, Hashable {
    /// The sampler's name, without `PREFIX`.
    public var name: String
    /// The texture that the sampler reads.
    public var texture: ConstantTexture

    /// Creates a texture uniform from the sampler's name, without `PREFIX`, and the texture.
    public init(_ name: String, _ texture: ConstantTexture) {
        self.name = name
        self.texture = texture
    }
}
