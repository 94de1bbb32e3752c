package import PipFrames

/// The format of a camera's frames, as the driver really set it.
package struct CameraFormat: Hashable, Sendable {
    /// The driver's side: pixel format, size and rate after reading back.
    package let mode: CameraMode
    /// The delivered side: every frame has this format and size, after decoding where the camera compresses.
    package let layout: FrameLayout
    /// The colour encoding, with the kernel's defaults resolved.
    package let colorimetry: Colorimetry
    /// The rate that the driver promises; nil when it does not say.
    package let frameRate: FrameRate?

    /// True for MJPEG, whose frames are decoded.
    package var isCompressed: Bool { DeviceFormat(mode.format) == .jpeg }

    /// The driver's pixel format.
    package var deviceFourCC: FourCC { mode.format }
}
