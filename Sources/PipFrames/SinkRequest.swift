/// The format, size and colours of the frames that a sink takes.
package struct SinkRequest: Sendable, Hashable {
    /// `nv12`, `i420` or `rgba`.
    package var format: PixelFormat
    /// The size of the frames; nil takes the size of what is drawn.
    package var size: PixelSize?
    /// The colour encoding of the frames; nil takes the encoding of what is drawn.
    package var colorimetry: Colorimetry?
    /// The measurement of each picture that replaces the picture, as a ``FrameTable``; nil delivers pictures.
    package var measurement: Measurement?

    /// A request for pictures.
    package init(format: PixelFormat, size: PixelSize? = nil, colorimetry: Colorimetry? = nil) {
        self.format = format
        self.size = size
        self.colorimetry = colorimetry
    }

    /// A request for a measurement of each picture.
    package init(_ measurement: Measurement) {
        self.init(format: .rgba)
        self.measurement = measurement
    }

    /// The pixel formats that a sink can request.
    package static let formats: [PixelFormat] = [.nv12, .i420, .rgba]
}

/// A quantity of a picture as a whole.
package enum Measurement: String, Sendable, Hashable, CaseIterable {
    /// The mean of all pixels: one texel, red, green, blue and alpha, premultiplied.
    case average
    /// The counts of pixels by 256 values: a texel for each value, with counts by red, green, blue and luma.
    case histogram
}
