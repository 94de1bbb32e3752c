internal import PipEffects
package import PipFrames
internal import PipGraph

/// Textures that layers are drawn into: a whole canvas, or a rectangle of it.
package struct Canvas: Sendable, Hashable {
    /// The size of the whole canvas.
    package var size: PixelSize
    package var format: PixelFormat
    package var colorimetry: Colorimetry
    /// The part of the canvas that the textures hold, in canvas pixels.
    package var region: PixelRect
    /// The textures, one for each of ``parts``.
    package var textures: [RenderPlan.TextureIndex] = []
    package var isPacked: Bool
    /// True when even and odd luma rows have textures of their own, so that one pass can draw luma and chroma of 4×2
    /// pixels.
    package var splitsRows = false
    /// True when the canvas is converted to 4:2:0 in the end, so that chroma is read once for each 2×2 pixels.
    package var isSubsampled: Bool

    package var isYUV: Bool { format.isYUV }

    /// The contents of one texture: a plane, or every second row of a plane.
    struct Part: Hashable {
        var plane: Int
        /// The first row of the plane that the texture holds.
        var firstRow = 0
        var rowStep = 1
        /// The number of canvas pixels that a texel covers, across and down.
        var block: PixelSize
    }

    var parts: [Part] { Self.parts(format, isPacked: isPacked, splitsRows: splitsRows) }

    static func parts(_ format: PixelFormat, isPacked: Bool, splitsRows: Bool) -> [Part] {
        guard splitsRows else {
            return (0..<format.planeCount).map {
                Part(plane: $0, block: Self.block(format, plane: $0, isPacked: isPacked))
            }
        }
        let pixels = PixelSize(4, 2)
        let luma = (0...1).map { Part(plane: 0, firstRow: $0, rowStep: 2, block: pixels) }
        return luma + (1..<format.planeCount).map { Part(plane: $0, block: pixels) }
    }

    static func block(_ format: PixelFormat, plane: Int, isPacked: Bool) -> PixelSize {
        guard format.isYUV else { return PixelSize(1, 1) }
        if plane == 0 { return PixelSize(isPacked ? 4 : 1, 1) }
        guard isPacked else { return PixelSize(2, 2) }
        return PixelSize(format.family == .planar ? 8 : 4, 2)
    }

    /// The block of pixels to which a rectangle must be aligned so that its edges need no blending.
    static func grain(_ format: PixelFormat, isPacked: Bool) -> PixelSize {
        (0..<format.planeCount).reduce(PixelSize(1, 1)) { grain, plane in
            let block = block(format, plane: plane, isPacked: isPacked)
            return PixelSize(max(grain.width, block.width), max(grain.height, block.height))
        }
    }

    /// Converts a rectangle of canvas pixels to texels of a part's texture, rounded outward.
    func texels(of rect: PixelRect, part: Part) -> PixelRect {
        let block = part.block
        let left = (rect.x - region.x).roundedDown(to: block.width) / block.width
        let top = (rect.y - region.y).roundedDown(to: block.height) / block.height
        return PixelRect(
            x: left, y: top, width: (rect.maxX - region.x).dividedUp(by: block.width) - left,
            height: (rect.maxY - region.y).dividedUp(by: block.height) - top)
    }

    /// The size and format of a part's texture; `texel` is the format for R'G'B', and for packed planes in one texture.
    func packing(of part: Part, texel: TexelFormat) -> TexelPacking {
        if splitsRows {
            // Planar chroma has two samples to a texel, as many as 4×2 pixels have.
            let isHalf = part.plane > 0 && format.family == .planar
            return TexelPacking(size: texels(of: region, part: part).size, format: isHalf ? .rg8 : .rgba8)
        }
        guard isYUV else { return TexelPacking(size: region.size, format: texel) }
        guard isPacked else { return .plain(format, plane: part.plane, size: region.size) }
        let dimensions = format.dimensions(ofPlane: part.plane, for: region.size)
        var packing = TexelPacking.packed(
            rowBytes: dimensions.width * format.bytesPerColumn(ofPlane: part.plane), rows: dimensions.height)
        packing.format = texel
        return packing
    }

    var image: Image {
        Image(
            size: size, format: format, textures: textures, isPacked: isPacked, colorimetry: colorimetry, alpha: .none,
            sources: [], label: "canvas")
    }
}

extension PixelRect {
    /// True when no edge of the rectangle divides a block of pixels, except at the edges of a canvas.
    func isAligned(to block: PixelSize, within canvas: PixelSize) -> Bool {
        x % block.width == 0 && y % block.height == 0 && (maxX % block.width == 0 || maxX == canvas.width)
            && (maxY % block.height == 0 || maxY == canvas.height)
    }
}
