public import PipFrames

/// How a layer is drawn, beside its place.
public struct LayerLook: Sendable, Hashable {
    /// 0 (invisible) to 1 (opaque).
    public var opacity: Double = 1
    /// Radius of the rounded corners, in canvas pixels.
    public var cornerRadius: Double = 0
    public var border: Border?
    public var shadow: Shadow?

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
