internal import CV4L2
public import PipFrames

/// One mode that a camera offers: a pixel format, a size and a rate.
public struct CameraMode: Hashable, Sendable, CustomStringConvertible {
    /// The pixel format's V4L2 code.
    public let format: FourCC
    /// The size in pixels.
    public let size: PixelSize
    /// The exact frame rate that the driver offers; nil when unknown, for example for analogue inputs.
    public let frameRate: FrameRate?
    /// True when software, such as libv4l, converts the camera's pictures to the format.
    public let isEmulated: Bool

    package init(format: FourCC, size: PixelSize, frameRate: FrameRate?, isEmulated: Bool = false) {
        self.format = format
        self.size = size
        self.frameRate = frameRate
        self.isEmulated = isEmulated
    }

    /// True when the frames can be drawn, directly or after decoding.
    ///
    /// Video, such as H.264, also needs a decoder on this machine.
    public var isUsable: Bool { DeviceFormat(format) != nil }

    public var description: String {
        "\(format) \(size)" + (frameRate.map { " at \($0) fps" } ?? "")
    }
}

extension FrameRate {
    /// Converts V4L2's frame interval to a rate; returns nil when the numerator or the denominator is zero.
    init?(interval: v4l2_fract) {
        guard interval.numerator > 0, interval.denominator > 0 else { return nil }
        var (seconds, frames) = (Int(interval.numerator), Int(interval.denominator))
        // The products of two rates' terms must fit in 64 bits.
        while max(seconds, frames) > 1 << 30 { (seconds, frames) = (max(1, seconds >> 1), max(1, frames >> 1)) }
        self.init(frames, per: seconds)
    }

    /// The frame interval in V4L2's form.
    var v4l2Interval: v4l2_fract { v4l2_fract(numerator: UInt32(seconds), denominator: UInt32(frames)) }
}
