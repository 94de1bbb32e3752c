internal import PipFrames
internal import PipGL

/// Imports devices' buffers as textures, and keeps each texture for later frames in the same buffer.
final class ImportedPlanes {
    private struct Key: Hashable {
        let buffer: ObjectIdentifier
        let plane: Int
        let texels: ImportedTexels
    }

    private struct Entry {
        /// Weak, because the device reuses the buffer as soon as nobody else holds it.
        weak var buffer: FrameBuffer?
        let texture: Texture
    }

    private var entries: [Key: Entry] = [:]
    /// The layouts of planes' parts that the driver has refused to import; a part of such a layout is not tried again.
    private var refused: Set<ImportedTexels> = []
    /// The first import error that ``takeRefusal()`` has not returned yet.
    private var refusal: GLError?

    /// The texture over a part of a frame's plane; nil where the frame lies in no dma-buf, or the driver cannot import
    /// the plane.
    ///
    /// Allocates memory only for a part that was not imported before.
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

    /// Releases the textures of buffers that no longer exist.
    func releaseLost() { entries = entries.filter { $0.value.buffer != nil } }

    /// Returns the error of a refused import, once; nil when no import was refused since the last call.
    func takeRefusal() -> GLError? { refusal.take() }
}
