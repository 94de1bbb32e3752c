internal import PipFrames
internal import PipGL

/// Textures over the memory of devices' buffers, each made when its buffer first appears.
final class ImportedPlanes {
    private struct Key: Hashable {
        let buffer: ObjectIdentifier
        let plane: Int
        let texels: ImportedTexels
    }

    private struct Entry {
        /// The buffer is not retained: its device writes it again when nobody else holds it.
        weak var buffer: FrameBuffer?
        let texture: Texture
    }

    private var entries: [Key: Entry] = [:]
    /// The texels that the driver refused to import, which are not tried again.
    private var refused: Set<ImportedTexels> = []
    /// The error of a refused import, until it is reported.
    private var refusal: GLError?

    /// A texture over a part of a frame's plane; nil where the driver cannot import it.
    ///
    /// A new texture costs some allocations; a known one none.
    ///
    /// `region`: The part, in texels.
    func texture(
        for frame: Frame, plane: Int, region: PixelRect, format: TextureFormat, on gpu: isolated RenderContext
    ) -> Texture? {
        guard plane < frame.buffer.descriptors.count else { return nil }
        let layout = frame.layout.planes[plane]
        let start = layout.offset + region.y * layout.strideInBytes + region.x * format.bytesPerTexel
        let texels = ImportedTexels(
            size: region.size, format: format, offset: start, strideInBytes: layout.strideInBytes)
        let key = Key(buffer: ObjectIdentifier(frame.buffer), plane: plane, texels: texels)
        if let entry = entries[key], entry.buffer === frame.buffer { return entry.texture }
        guard !refused.contains(texels) else { return nil }
        releaseLost()
        do throws(GLError) {
            let texture = try Texture(importing: texels, of: frame.buffer.descriptors[plane], on: gpu)
            entries[key] = Entry(buffer: frame.buffer, texture: texture)
            return texture
        } catch {
            refused.insert(texels)
            refusal = refusal ?? error
            return nil
        }
    }

    /// Releases the textures whose buffers are gone.
    func releaseLost() { entries = entries.filter { $0.value.buffer != nil } }

    /// Returns the error of a refused import, once.
    func takeRefusal() -> GLError? { refusal.take() }
}
