package import PipFrames

/// A pool of textures, which are reused instead of made anew.
///
/// A texture returns to the pool when its last holder releases it. The next holder can draw into it at once: GL
/// executes the draws of one context in order, so draws that read the old contents come first.
package final class TexturePool {
    package struct Counters: Sendable, Equatable {
        /// The number of textures in use.
        package var live = 0
        /// The number of textures that nobody holds.
        package var idle = 0
        /// The memory of all textures of the pool, in bytes.
        package var bytes = 0
        /// The number of textures that the pool has made so far.
        package var created = 0
    }

    private struct Entry {
        var texture: Texture
        /// The number of the latest request that took the texture, counting all requests from 1.
        var lastUse: Int
    }

    private let byteBudget: Int
    private var entries: [Entry] = []
    private var takes = 0
    private var created = 0

    /// Creates an empty pool.
    ///
    /// - Parameter byteBudget: The memory that the pool's textures may use. Beyond it, the pool releases idle textures,
    ///   the least recently taken first. Textures in use alone may exceed the budget.
    package init(byteBudget: Int = 256 << 20) { self.byteBudget = byteBudget }

    /// Returns a texture that nobody else holds, with undefined contents.
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

    /// Releases idle textures, the least recently taken first, until the pool uses at most `limit` bytes or has no idle
    /// texture left.
    package func trim(toByteCount limit: Int = 0) {
        var bytes = entries.reduce(0) { $0 + $1.texture.byteCount }
        while bytes > limit, let oldest = oldestIdle() {
            bytes -= entries[oldest].texture.byteCount
            entries.remove(at: oldest)
        }
    }

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
