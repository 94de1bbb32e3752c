public import PipFrames

/// What a camera delivers, as the driver really set it.
public struct CameraFormat: Hashable, Sendable {
    /// The driver's side: pixel format, size and rate after reading back.
    public let mode: CameraMode
    /// The delivered side: every frame has this format and size, after decoding where the camera compresses.
    public let layout: FrameLayout
    public let colorimetry: Colorimetry
    /// The rate that the driver promises; nil when it does not say.
    public let frameRate: FrameRate?

    /// Whether frames have to be decoded from JPEG pictures.
    public var isCompressed: Bool { DeviceFormat(mode.format) == .jpeg }

    /// The driver's pixel format.
    public var deviceFourCC: FourCC { mode.format }
}
