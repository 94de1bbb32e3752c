package import PipFrames

/// A pool of textures, so that a frame makes none.
///
/// A texture returns to the pool when its last holder releases it. It can be drawn into at once: GL keeps the order of
/// one context's draws, so draws that read the old contents come first.
package final class TexturePool {
    /// The counters of a pool.
    package struct Counters: Sendable, Equatable {
        /// Textures in use.
        package var live = 0
        /// Textures that are free to be taken.
        package var idle = 0
        /// The bytes of both.
        package var bytes = 0
        /// Textures that the pool has made.
        package var created = 0
    }

    private struct Entry {
        var texture: Texture
        /// The last request, counted in requests.
        var lastUse: Int
    }

    private let byteBudget: Int
    private var entries: [Entry] = []
    private var takes = 0
    private var created = 0

    /// An empty pool.
    ///
    /// - Parameter byteBudget: The largest memory of all textures. Idle textures are released to keep it, those taken
    ///   longest ago first; only textures in use can exceed it.
    package init(byteBudget: Int = 256 << 20) { self.byteBudget = byteBudget }

    /// A texture that nobody else holds, with undefined contents.
    ///
    /// - Throws: ``GLError`` when a new texture is needed and cannot be made.
    package func take(size: PixelSize, format: TextureFormat, on gpu: isolated RenderContext) throws(GLError) -> Texture
    {
        takes += 1
        for index in entries.indices
        where entries[index].texture.size == size && entries[index].texture.format == format && isIdle(index) {
            entries[index].lastUse = takes
            return entries[index].texture
        }
        trim(toByteCount: byteBudget - size.area * format.bytesPerTexel)
        let texture = try Texture(size: size, format: format, on: gpu)
        entries.append(Entry(texture: texture, lastUse: takes))
        created += 1
        return texture
    }

    /// Releases idle textures, those taken longest ago first, until the pool has no more than `limit` bytes or no idle
    /// texture.
    package func trim(toByteCount limit: Int = 0) {
        var bytes = entries.reduce(0) { $0 + $1.texture.byteCount }
        while bytes > limit, let oldest = oldestIdle() {
            bytes -= entries[oldest].texture.byteCount
            entries.remove(at: oldest)
        }
    }

    /// The pool's counters at present.
    package var counters: Counters {
        var counters = Counters(created: created)
        for index in entries.indices {
            if isIdle(index) { counters.idle += 1 } else { counters.live += 1 }
            counters.bytes += entries[index].texture.byteCount
        }
        return counters
    }

    private func oldestIdle() -> Int? {
        entries.indices.filter(isIdle).min { entries[$0].lastUse < entries[$1].lastUse }
    }

    private func isIdle(_ index: Int) -> Bool { isKnownUniquelyReferenced(&entries[index].texture) }
}
