internal import CGL
internal import PipFrames

/// A cache of the context's GL state, which skips redundant GL calls.
///
/// A property of nil marks an unknown GL value, which the next call sets in any case.
struct BoundState {
    private var program: GLuint?
    private var framebuffer: GLuint?
    private var viewport: PixelSize?
    private var blend: TargetBlending?
    private var colorMask: ColorMask?
    private var activeUnit: Int?
    // OpenGL ES 3.1 guarantees at least 16 texture units.
    private var textures = InlineArray<16, GLuint?>(repeating: nil)
    private var unpack: PixelStore?
    private var pack: PixelStore?
    private var packBuffer: GLuint?

    mutating func use(program name: GLuint) {
        guard program != name else { return }
        glUseProgram(name)
        program = name
    }

    mutating func bind(framebuffer name: GLuint) {
        guard framebuffer != name else { return }
        glBindFramebuffer(GL.framebuffer, name)
        framebuffer = name
    }

    mutating func bind(texture name: GLuint, unit: Int) {
        guard textures[unit] != name else { return }
        activate(unit: unit)
        glBindTexture(GL.texture2D, name)
        textures[unit] = name
    }

    /// Binds a texture to the active unit, so that GL calls can change the texture.
    mutating func bindForChange(texture name: GLuint) {
        bind(texture: name, unit: activeUnit ?? 0)
    }

    mutating func bind(packBuffer name: GLuint) {
        guard packBuffer != name else { return }
        glBindBuffer(GL.pixelPackBuffer, name)
        packBuffer = name
    }

    mutating func setUnpack(_ store: PixelStore) {
        guard unpack != store else { return }
        glPixelStorei(GL.unpackRowLength, GLint(store.rowLength))
        glPixelStorei(GL.unpackAlignment, GLint(store.alignment))
        unpack = store
    }

    mutating func setPack(_ store: PixelStore) {
        guard pack != store else { return }
        glPixelStorei(GL.packRowLength, GLint(store.rowLength))
        glPixelStorei(GL.packAlignment, GLint(store.alignment))
        pack = store
    }

    mutating func set(viewport size: PixelSize) {
        guard viewport != size else { return }
        glViewport(0, 0, GLsizei(size.width), GLsizei(size.height))
        viewport = size
    }

    mutating func set(blend mode: TargetBlending) {
        guard blend != mode else { return }
        switch mode {
        case .none:
            glDisable(GL.blend)
            // A blend function with two sources forbids drawing into several textures even while blending is disabled
            // (EXT_blend_func_extended).
            glBlendFunc(GL.one, GL.zero)
        case .premultipliedOver:
            glEnable(GL.blend)
            glBlendFunc(GL.one, GL.oneMinusSourceAlpha)
        case .dualSource:
            glEnable(GL.blend)
            glBlendFunc(GL.one, GL.secondSourceColor)
        }
        blend = mode
    }

    mutating func set(colorMask mask: ColorMask) {
        guard colorMask != mask else { return }
        glColorMask(
            mask.contains(.red) ? 1 : 0, mask.contains(.green) ? 1 : 0, mask.contains(.blue) ? 1 : 0,
            mask.contains(.alpha) ? 1 : 0)
        colorMask = mask
    }

    private mutating func activate(unit: Int) {
        guard activeUnit != unit else { return }
        glActiveTexture(GL.texture0 + GLenum(unit))
        activeUnit = unit
    }
}

/// GL's pixel store parameters: the layout of rows of pixels in memory.
struct PixelStore: Equatable {
    /// The number of texels from row to row; 0 for rows without padding.
    var rowLength: Int
    /// The alignment of rows: 1, 2, 4 or 8 bytes.
    var alignment: Int

    /// Creates the parameters for a stride; nil when GL cannot express the stride, or a row is longer than the stride.
    ///
    /// GL takes the row length in whole texels, and rounds rows up to the alignment. Many strides that are not a
    /// multiple of a texel can be expressed as a shorter row with an alignment.
    ///
    /// Source: OpenGL ES 3.2, section 8.4.2.1 "Unpacking", equation 8.2.
    init?(strideInBytes: Int, width: Int, format: TextureFormat) {
        let texel = format.bytesPerTexel
        for alignment in [1, 2, 4, 8] {
            let rowLength = strideInBytes / texel
            guard rowLength >= width else { return nil }
            // An alignment up to the size of a component has no effect.
            let rounded = alignment <= format.bytesPerComponent ? 1 : alignment
            if (rowLength * texel).roundedUp(to: rounded) == strideInBytes {
                self.rowLength = rowLength
                self.alignment = alignment
                return
            }
        }
        return nil
    }
}
