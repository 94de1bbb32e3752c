internal import PipEffects
package import PipFrames
internal import PipGraph

/// A picture in textures: a source's frame, a canvas, or what a pass left for the next one.
package struct Image: Sendable, Hashable {
    package enum Alpha: Sendable { case none, premultiplied }

    package var size: PixelSize
    package var format: PixelFormat
    /// One a plane.
    package var textures: [RenderPlan.TextureIndex]
    /// True when four samples (two chroma pairs) share a texel.
    package var isPacked: Bool
    package var colorimetry: Colorimetry
    package var alpha: Alpha
    /// The sources that it shows.
    package var sources: [NodeID]
    /// The name in messages.
    package var label: String
    /// True when its colours, or those at the bottom of what it was drawn from, were Y'CbCr: then an output in Y'CbCr
    /// keeps their colorimetry.
    package var wasYUV = false
    /// True when luma is stored at half the size each way, with ``PlaneFilter/margin`` around it.
    package var hasHalfLuma = false

    /// Samples of luma as they are stored.
    package var lumaSize: PixelSize {
        guard hasHalfLuma else { return size }
        let half = PixelSize(size.width.dividedUp(by: 2), size.height.dividedUp(by: 2))
        return PixelSize(
            half.width.roundedUp(to: 4) + 8 * PlaneFilter.margin, half.height + 2 * PlaneFilter.margin)
    }

    package var chromaSize: PixelSize {
        let (x, y) = format.chromaSubsampling
        return PixelSize(size.width.dividedUp(by: x), size.height.dividedUp(by: y))
    }
}

/// The layout of a plane in a texture.
struct TexelPacking {
    var size: PixelSize
    var format: TexelFormat

    /// A plane whose samples are packed four to a texel, or two pairs; the last texel of a row may be half used.
    static func packed(rowBytes: Int, rows: Int) -> TexelPacking {
        TexelPacking(size: PixelSize(rowBytes.dividedUp(by: 4), rows), format: .rgba8)
    }

    /// A plane with a texel for each sample, pair or pixel.
    static func plain(_ format: PixelFormat, plane: Int, size: PixelSize) -> TexelPacking {
        let texel: TexelFormat =
            switch format.bytesPerColumn(ofPlane: plane) {
            case 1: .r8
            case 2: .rg8
            case 3: .rgb8
            default: .rgba8
            }
        return TexelPacking(size: format.dimensions(ofPlane: plane, for: size), format: texel)
    }
}

extension FrameLayout {
    /// True when every plane can be uploaded with four bytes to a texel.
    var canBePacked: Bool {
        format.isYUV && planes.allSatisfy { $0.strideInBytes % 4 == 0 }
    }
}
