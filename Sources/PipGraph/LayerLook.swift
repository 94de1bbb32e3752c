public import PipFrames

/// How a layer is drawn, beside its place.
public struct LayerLook: Sendable, Hashable {
    /// 0 (invisible) to 1 (opaque).
    public var opacity: Double = 1
    /// Radius of the rounded corners, in canvas pixels.
    public var cornerRadius: Double = 0
    public var border: Border?
    public var shadow: Shadow?
    /// How its picture is made larger or smaller.
    public var sampling = LayerSampling.smooth

    public init() {}

    /// A frame along the inside of the layer's edge.
    public struct Border: Sendable, Hashable {
        /// In canvas pixels.
        public var width: Double
        public var color: Color

        public init(width: Double, color: Color) {
            self.width = width
            self.color = color
        }
    }

    /// A soft black shape below and behind the layer.
    public struct Shadow: Sendable, Hashable {
        /// How far it fades, in canvas pixels.
        public var blur: Double
        /// How far it lies below the layer, in canvas pixels.
        public var offset: Double
        /// 0…1.
        public var opacity: Double

        public init(blur: Double = 12, offset: Double = 4, opacity: Double = 0.5) {
            self.blur = blur
            self.offset = offset
            self.opacity = opacity
        }
    }

    /// Whether every pixel of the layer hides what is below it, but for transparent content.
    public var isOpaque: Bool { opacity >= 1 && cornerRadius <= 0 && (border.map { $0.color.alpha >= 1 } ?? true) }
}

/// How a layer's picture is made as large as its place.
public enum LayerSampling: String, Sendable, CaseIterable {
    /// Smaller by means of all that a pixel covers, larger by what lies between pixels: quick, and part of the pass that draws the layer.
    case smooth
    /// By a windowed sinc of three lobes, limited to what the nearest pixels have so that edges do not ring: sharper, for three passes.
    case lanczos
}
