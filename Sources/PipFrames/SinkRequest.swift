/// The format, size and colours of the frames that a sink accepts.
package struct SinkRequest: Sendable, Hashable {
    /// The pixel format, one of ``formats``.
    package var format: PixelFormat
    /// The size of the frames; nil takes the size of the drawn picture.
    package var size: PixelSize?
    /// The colour encoding of the frames; nil takes the encoding of the drawn picture.
    package var colorimetry: Colorimetry?
    /// The measurement that is delivered in place of each picture, as a ``FrameTable``; nil delivers pictures.
    package var measurement: Measurement?

    /// Creates a request for pictures.
    package init(format: PixelFormat, size: PixelSize? = nil, colorimetry: Colorimetry? = nil) {
        self.format = format
        self.size = size
        self.colorimetry = colorimetry
    }

    /// Creates a request for a measurement of each picture.
    package init(_ measurement: Measurement) {
        self.init(format: .rgba)
        self.measurement = measurement
    }

    /// The pixel formats that a sink can request.
    package static let formats: [PixelFormat] = [.nv12, .i420, .gray, .rgba]
}

/// A statistic of a whole picture.
package enum Measurement: String, Sendable, Hashable, CaseIterable {
    /// The mean of all pixels: one texel with red, green, blue and alpha, premultiplied.
    case average
    /// The number of pixels with each of 256 values: a texel for each value, with the counts by red, green, blue and
    /// luma.
    case histogram
}
