package import PipFrames

/// Textures that are used again and again, so that a frame makes none.
///
/// A texture goes back by itself when its last holder lets go of it. It can be drawn into at once: GL keeps the order
/// of one context's draws, so what still reads the old contents comes first.
package final class TexturePool {
    /// The counters of a pool.
    package struct Counters: Sendable, Equatable {
        /// Textures that someone holds.
        package var live = 0
        /// Textures that wait to be taken.
        package var idle = 0
        /// Memory of both.
        package var bytes = 0
        /// Textures made since the pool was.
        package var created = 0
    }

    private struct Entry {
        var texture: Texture
        /// When it was last taken, by count of takes.
        var lastUse: Int
    }

    private let byteBudget: Int
    private var entries: [Entry] = []
    private var takes = 0
    private var created = 0

    /// An empty pool.
    ///
    /// - Parameter byteBudget: Most memory of all its textures. Idle ones make room, those taken longest ago first;
    ///   only what is held at one time can exceed it.
    package init(byteBudget: Int = 256 << 20) { self.byteBudget = byteBudget }

    /// A texture that nobody else holds; its contents are undefined.
    ///
    /// - Throws: ``GLError`` when a new one is needed and cannot be made.
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

    /// Lets idle textures go, those taken longest ago first, until the pool is that small or has none left.
    package func trim(toByteCount limit: Int = 0) {
        var bytes = entries.reduce(0) { $0 + $1.texture.byteCount }
        while bytes > limit, let oldest = oldestIdle() {
            bytes -= entries[oldest].texture.byteCount
            entries.remove(at: oldest)
        }
    }

    /// The present counters.
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
