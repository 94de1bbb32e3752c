internal import PipEffects
package import PipFrames
internal import PipGraph

/// A picture in textures: a source's frame, a canvas, or an intermediate result of a pass.
package struct Image: Sendable, Hashable {
    package enum Alpha: Sendable { case none, premultiplied }

    package var size: PixelSize
    package var format: PixelFormat
    /// The textures, one for each plane; empty for a source's frame before its upload is planned.
    package var textures: [RenderPlan.TextureIndex]
    /// True when a texel holds four samples, or two chroma pairs.
    package var isPacked: Bool
    package var colorimetry: Colorimetry
    package var alpha: Alpha
    /// The sources whose frames the picture shows.
    package var sources: [NodeID]
    /// The picture's name in labels and messages.
    package var label: String
    /// True when the picture, or the bottom layer that it was drawn from, came from a Y'CbCr image.
    ///
    /// A Y'CbCr output for which no colorimetry is requested keeps that image's colorimetry.
    package var wasYUV = false
    /// True when luma is stored at half the size in each direction, with ``PlaneFilter/margin`` around it.
    package var hasHalfLuma = false

    /// The size at which luma is stored, in samples, including the margin around luma of half the size.
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

/// The size and format of a plane's texture.
struct TexelPacking {
    var size: PixelSize
    var format: TexelFormat

    /// The packing of four samples, or of two pairs, in a texel.
    ///
    /// The last texel of a row may be used in part.
    static func packed(rowBytes: Int, rows: Int) -> TexelPacking {
        TexelPacking(size: PixelSize(rowBytes.dividedUp(by: 4), rows), format: .rgba8)
    }

    /// The packing of one sample, one pair or one pixel in a texel.
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
    /// True when every plane can be uploaded with four bytes to a texel: the format is Y'CbCr, and all strides are
    /// multiples of four.
    var canBePacked: Bool {
        format.isYUV && planes.allSatisfy { $0.strideInBytes % 4 == 0 }
    }
}
