internal import PipEffects
package import PipFrames
package import PipGraph

/// The contents of one pass: a segment of a chain, drawn into a part of a canvas or into all its parts at once.
package struct PassContents: Sendable, Hashable {
    /// The way in which the image is read, and the changes of each pixel.
    package let segment: Segment
    /// The map from canvas pixels to positions in the chain.
    package let positions: Mapping
    package let canvas: Canvas
    /// The index of the part; nil draws all parts of the canvas at once.
    package let part: Int?
    /// The coverage of pixels; nil draws every pixel of the regions.
    package let cover: Cover?
    /// True when chroma is read once for 2×2 pixels.
    package let usesChromaGrid: Bool
    /// True when the pass replaces the canvas's pixels; false draws a translucent segment over them.
    package var replaces = false
    /// One colour in place of the segment's pixels; nil draws these.
    package var solid: Color?

    /// A rounded rectangle with its look.
    package struct Cover: Sendable, Hashable {
        package var rect: PixelRect
        package var cornerRadius = 0.0
        package var opacity = 1.0
        package var border: LayerLook.Border?
        package var shadowBlur: Double?
    }

    init(
        segment: Segment, positions: Mapping, canvas: Canvas, part: Int?, cover: Cover? = nil, usesChromaGrid: Bool
    ) {
        self.segment = segment
        self.positions = positions
        self.canvas = canvas
        self.part = part
        self.cover = cover
        self.usesChromaGrid = usesChromaGrid
    }

    /// True when the pass draws over the canvas's pixels.
    package var isBlended: Bool { !replaces && (cover != nil || segment.hasAlpha) }

    /// A colour in the canvas's encoding: Y'CbCr or R'G'B'.
    package static func value(of color: Color, on canvas: Canvas) -> [Float] {
        let rgb = [color.red, color.green, color.blue]
        return (canvas.isYUV ? canvas.colorimetry.yCbCrFromRGB.applied(to: rgb) : rgb).map { Float($0) }
    }
}
