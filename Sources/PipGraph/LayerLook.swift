public import PipFrames

/// The appearance of a layer, apart from its place.
public struct LayerLook: Sendable, Hashable {
    /// The opacity, from 0 (invisible) to 1 (opaque).
    public var opacity: Double = 1
    /// Radius of the rounded corners, in canvas pixels.
    public var cornerRadius: Double = 0
    /// The border along the inside of the layer's edge; nil for none.
    public var border: Border?
    /// The shadow below the layer; nil for none.
    public var shadow: Shadow?
    /// The resampling of its picture.
    public var sampling = LayerSampling.smooth

    /// An opaque layer with square corners, without border or shadow.
    public init() {}

    /// A frame along the inside of the layer's edge.
    public struct Border: Sendable, Hashable {
        /// The width in canvas pixels.
        public var width: Double
        /// The border's colour.
        public var color: Color

        /// A border of `width` canvas pixels.
        public init(width: Double, color: Color) {
            self.width = width
            self.color = color
        }
    }

    /// A soft black shape below and behind the layer.
    public struct Shadow: Sendable, Hashable {
        /// The distance over which the shadow fades, in canvas pixels.
        public var blur: Double
        /// The distance by which the shadow lies lower than the layer, in canvas pixels.
        public var offset: Double
        /// The opacity, 0…1.
        public var opacity: Double

        /// A shadow from its fade and offset in canvas pixels, and its opacity.
        public init(blur: Double = 12, offset: Double = 4, opacity: Double = 0.5) {
            self.blur = blur
            self.offset = offset
            self.opacity = opacity
        }
    }

    /// True when the layer hides everything below it, unless its picture is transparent.
    package var isOpaque: Bool { opacity >= 1 && cornerRadius <= 0 && (border.map { $0.color.alpha >= 1 } ?? true) }
}

/// The resampling of a layer's picture to the size of its place.
public enum LayerSampling: String, Sendable, CaseIterable {
    /// An area filter for smaller pictures, linear interpolation for larger ones. Part of the pass that draws the
    /// layer.
    case smooth
    /// A windowed sinc of three lobes, limited to the range of the nearest pixels so that edges do not ring. Sharper,
    /// for three more passes.
    case lanczos
}
