internal import PipFrames
internal import PipGraph

/// The layers that the CPU may copy into an output instead of drawing them.
enum BlitRange: Comparable {
    case nothing
    /// Layers that fill the canvas with unchanged samples of a frame.
    case untouched
    /// Layers that show samples of a frame anywhere on the canvas: unchanged, scaled, filtered or converted.
    ///
    /// Such layers may be costly on a machine with a GPU, where the CPU may read cameras' memory slowly.
    case derived
}

/// The layers of a composition that the CPU copies into the output, and the layers that are drawn.
struct BlitPlan {
    var blits: [LayerBlit] = []
    /// The bottom layer, when it is blitted and covers the canvas.
    var base: LayerPlan?
    /// The layers that are drawn, bottom first.
    var drawn: [LayerPlan] = []
    /// The canvas rectangles in which layers are drawn.
    var patches: [PixelRect] = []

    /// Creates a plan; nil when the whole canvas must be drawn, no layer can be blitted, or the canvas's edges divide a
    /// texel.
    ///
    /// Without a ``base``, also nil unless `allowed` is `derived` and the canvas is Y'CbCr.
    init?(_ layers: [LayerPlan], on canvas: Canvas, allowed: BlitRange) {
        let (size, format) = (canvas.size, canvas.format)
        let grain = Canvas.grain(format, isPacked: canvas.isPacked)
        guard size.width % grain.width == 0, size.height % grain.height == 0, let bottom = layers.first else {
            return nil
        }
        var found = layers.map {
            $0.blit(on: size, format: format, colorimetry: canvas.colorimetry, allowed: allowed)
        }
        let hasBase = found[0] != nil && bottom.rect == size.bounds
        guard hasBase || (allowed == .derived && format.isYUV) else { return nil }
        // A layer that overlaps a patch is drawn, too, unless it is the base.
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            drawn = zip(layers, found).filter { $0.1 == nil }.map(\.0)
            patches = Self.patches(of: drawn, on: size, grain: grain)
            for index in found.indices.dropFirst(hasBase ? 1 : 0) {
                guard let blit = found[index], patches.contains(where: { !$0.intersection(blit.rect).isEmpty }) else {
                    continue
                }
                found[index] = nil
                hasChanged = true
            }
        }
        blits = found.compactMap { $0 }
        if hasBase { base = bottom }
        if blits.isEmpty || patches.contains(size.bounds) { return nil }
    }

    /// Disjoint rectangles that cover all layers: layers that overlap share a rectangle.
    private static func patches(of layers: [LayerPlan], on size: PixelSize, grain: PixelSize) -> [PixelRect] {
        var regions: [PixelRect] = []
        for layer in layers {
            var region = layer.bounds(on: size).alignedOutward(toWidth: grain.width, height: grain.height)
            while let index = regions.firstIndex(where: { !$0.intersection(region).isEmpty }) {
                region = region.union(regions.remove(at: index))
            }
            regions.append(region)
        }
        return regions
    }
}
