package import PipFrames

/// The options of a generated picture.
package struct PatternOptions: Sendable {
    package var kind: Pattern
    package var size: PixelSize
    package var rate: FrameRate
    /// The pixel format: `i420` or `nv12`.
    package var format: PixelFormat
    /// The frames' colorimetry; nil takes ``PipFrames/Colorimetry/assumed(for:_:)``.
    package var colorimetry: Colorimetry?
    /// The seed of the noise and the scene.
    ///
    /// An even seed shows the road, an odd seed the driver.
    package var seed: UInt64
    /// The number of frames; nil for an endless pattern.
    package var frames: Int?

    package init(
        _ kind: Pattern, size: PixelSize = .hd720, rate: FrameRate = FrameRate(30), format: PixelFormat = .i420,
        seed: UInt64 = 0
    ) {
        self.kind = kind
        self.size = size
        self.rate = rate
        self.format = format
        self.seed = seed
    }
}
