internal import PipEffects
package import PipFrames
package import PipGraph

/// The contents of a pass: a segment of a chain, drawn into one part of a canvas or into all parts at once.
package struct PassContents: Sendable, Hashable {
    /// The segment that is drawn: its image, and the changes of each pixel.
    package let segment: Segment
    /// The map from canvas pixels to positions in the chain.
    package let positions: Mapping
    package let canvas: Canvas
    /// The index of the canvas's part that is drawn; nil to draw all parts at once.
    package let part: Int?
    /// The shape that the pass covers; nil to cover every pixel of the regions.
    package let cover: Cover?
    /// True when chroma is read once for 2×2 pixels.
    package let usesChromaGrid: Bool
    /// True when even translucent pixels replace the canvas's pixels, instead of being blended over the canvas.
    package var replaces = false
    /// True when the pass draws every pixel of an intermediate picture, which OpenGL ES can do in a plan of the CPU.
    package var isPicture = false
    /// The colour that is drawn in place of the segment's pixels; nil to draw the segment.
    package var solid: Color?

    /// A rounded rectangle with its opacity, border and shadow.
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

    /// True when the pass blends its pixels over the canvas's pixels.
    package var isBlended: Bool { !replaces && (cover != nil || segment.hasAlpha) }

    /// Converts a colour to the canvas's encoding: Y'CbCr or R'G'B'.
    package static func value(of color: Color, on canvas: Canvas) -> [Float] {
        let rgb = [color.red, color.green, color.blue]
        return (canvas.isYUV ? canvas.colorimetry.yCbCrFromRGB.applied(to: rgb) : rgb).map { Float($0) }
    }
}
