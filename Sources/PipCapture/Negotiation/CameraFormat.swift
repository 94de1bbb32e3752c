public import PipFrames

/// The format of a camera's frames, as the driver really set it.
public struct CameraFormat: Hashable, Sendable {
    /// The driver's side: pixel format, size and rate after reading back.
    public let mode: CameraMode
    /// The delivered side: every frame has this format and size, after decoding where the camera compresses.
    public let layout: FrameLayout
    /// The colour encoding, with the kernel's defaults resolved.
    public let colorimetry: Colorimetry
    /// The rate that the driver promises; nil when it does not say.
    public let frameRate: FrameRate?

    /// True for MJPEG, whose frames are decoded.
    public var isCompressed: Bool { DeviceFormat(mode.format) == .jpeg }

    /// The driver's pixel format.
    public var deviceFourCC: FourCC { mode.format }
}
