public import PipFrames

/// The storage of a texel: its components and their type, for textures of an effect of your own.
public enum TexelFormat: String, Sendable, Hashable {
    case r8, rg8, rgb8, rgba8, rg32f, rgba16f, rgba32f

    /// Bytes in one texel.
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

/// A small constant picture that a shader reads, such as a lookup table.
///
/// A value, whose texels are made when the GPU first needs them. Equal labels must mean equal pictures.
public struct ConstantTexture: Sendable, Hashable {
    /// The identity of the contents, with all values that they depend on: `curve gamma 2.2`.
    public let label: String
    /// The size in texels.
    public let size: PixelSize
    /// The storage of a texel.
    public let format: TexelFormat
    private let make: @Sendable () -> [UInt8]

    /// A picture of bytes, 0…255 for 0…1: `format.bytesPerTexel` a texel, row by row without padding.
    ///
    /// - Parameters:
    ///   - label: The identity of the contents: equal labels must mean equal pictures.
    ///   - size: Width and height in texels.
    ///   - format: The storage of a texel.
    ///   - make: Returns the texels. Called on the render thread when the texture is prepared.
    public init(label: String, size: PixelSize, format: TexelFormat, bytes make: @escaping @Sendable () -> [UInt8]) {
        self.label = label
        self.size = size
        self.format = format
        self.make = make
    }

    /// A picture of 32-bit floats, two (`rg32f`) or four (`rgba32f`) to a texel, row by row.
    public init(label: String, size: PixelSize, format: TexelFormat, floats make: @escaping @Sendable () -> [Float]) {
        self.init(
            label: label, size: size, format: format,
            bytes: {
                unsafe make().withUnsafeBytes { unsafe Array($0) }
            })
    }

    /// The texels; nil when there are too few for the size.
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

/// A texture that an effect's shader reads by a sampler, declared as `uniform sampler2D PREFIX(name);`.
public struct TextureUniform: Sendable, Hashable {
    /// The sampler's name, without `PREFIX`.
    public var name: String
    /// The texture.
    public var texture: ConstantTexture

    /// A texture with the name of its sampler.
    public init(_ name: String, _ texture: ConstantTexture) {
        self.name = name
        self.texture = texture
    }
}
