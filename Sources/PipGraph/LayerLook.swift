public import PipFrames

/// The appearance of a layer, apart from its place.
public struct LayerLook: Sendable, Hashable {
    /// The opacity, from 0 (invisible) to 1 (opaque).
    public var opacity: Double = 1
    /// The radius of the rounded corners.
    ///
    /// Units: canvas pixels.
    public var cornerRadius: Double = 0
    /// The border along the inside of the layer's edge; nil for none.
    public var border: Border?
    /// The shadow below the layer; nil for none.
    public var shadow: Shadow?
    /// The resampling filter that scales the layer's picture to its place.
    public var sampling = LayerSampling.smooth

    /// Creates the look of an opaque layer with square corners, without border and shadow.
    public init() {}

    /// A border along the inside of the layer's edge.
    public struct Border: Sendable, Hashable {
        /// The border's width.
        ///
        /// Units: canvas pixels.
        public var width: Double
        /// The border's colour, which may be translucent.
        public var color: Color

        /// Creates a border of `width` canvas pixels.
        public init(width: Double, color: Color) {
            self.width = width
            self.color = color
        }
    }

    /// A soft black drop shadow behind the layer.
    public struct Shadow: Sendable, Hashable {
        /// The distance over which the shadow fades.
        ///
        /// Units: canvas pixels.
        public var blur: Double
        /// The distance by which the shadow is shifted down.
        ///
        /// Units: canvas pixels.
        public var offset: Double
        /// The shadow's opacity, 0…1.
        public var opacity: Double

        /// Creates a shadow.
        ///
        /// Units of `blur` and `offset`: canvas pixels.
        public init(blur: Double = 12, offset: Double = 4, opacity: Double = 0.5) {
            self.blur = blur
            self.offset = offset
            self.opacity = opacity
        }
    }

    /// True when the layer hides everything below it, unless its picture is transparent.
    package var isOpaque: Bool { opacity >= 1 && cornerRadius <= 0 && (border.map { $0.color.alpha >= 1 } ?? true) }
}

/// The resampling filter that scales a layer's picture to its place.
public enum LayerSampling: String, Sendable, CaseIterable {
    /// An area filter for reduction, and linear interpolation for magnification.
    ///
    /// The pass that draws the layer does both.
    case smooth
    /// A windowed sinc of three lobes, which is sharper but needs up to two more passes.
    ///
    /// Each value is limited to the range of the nearest pixels, so that edges do not ring.
    case lanczos
}
