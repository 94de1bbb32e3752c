internal import CGL

/// The number and type of a texel's components.
package enum TextureFormat: String, Sendable, CaseIterable {
    case r8, rg8, rgb8, rgba8, r32f, rg32f, rgba16f, rgba32f

    /// The number of components in a texel.
    package var componentCount: Int {
        switch self {
        case .r8, .r32f: 1
        case .rg8, .rg32f: 2
        case .rgb8: 3
        case .rgba8, .rgba16f, .rgba32f: 4
        }
    }

    /// The number of bytes in a component, in the memory of uploads and read-backs.
    package var bytesPerComponent: Int {
        switch self {
        case .r8, .rg8, .rgb8, .rgba8: 1
        case .rgba16f: 2
        case .r32f, .rg32f, .rgba32f: 4
        }
    }

    /// The number of bytes in a texel, in the memory of uploads and read-backs.
    package var bytesPerTexel: Int { componentCount * bytesPerComponent }

    /// True for floating-point formats.
    package var isFloat: Bool { bytesPerComponent > 1 }

    /// True when a ``RenderTarget`` may have a texture of this format.
    package func isRenderable(with capabilities: Capabilities) -> Bool {
        switch self {
        case .r8, .rg8, .rgb8, .rgba8: true
        case .rgba16f: capabilities.hasHalfFloatTargets
        case .r32f, .rg32f, .rgba32f: capabilities.hasFloatTargets
        }
    }

    /// The sized internal format of GL, such as `GL_RGBA8`.
    var internalFormat: GLenum {
        switch self {
        case .r8: GLenum(GL_R8)
        case .rg8: GLenum(GL_RG8)
        case .rgb8: GLenum(GL_RGB8)
        case .rgba8: GLenum(GL_RGBA8)
        case .r32f: GLenum(GL_R32F)
        case .rg32f: GLenum(GL_RG32F)
        case .rgba16f: GLenum(GL_RGBA16F)
        case .rgba32f: GLenum(GL_RGBA32F)
        }
    }

    /// The pixel format that GL's uploads and read-backs take, such as `GL_RGBA`.
    var format: GLenum {
        switch componentCount {
        case 1: GL.red
        case 2: GL.rg
        case 3: GL.rgb
        default: GL.rgba
        }
    }

    /// The component type that GL's uploads and read-backs take, such as `GL_UNSIGNED_BYTE`.
    var type: GLenum {
        switch bytesPerComponent {
        case 1: GL.unsignedByte
        case 2: GL.halfFloat
        default: GL.float
        }
    }
}
