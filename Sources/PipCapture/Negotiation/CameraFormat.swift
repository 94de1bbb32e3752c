package import PipFrames

/// The format of a camera's frames, as the driver has set it.
package struct CameraFormat: Hashable, Sendable {
    /// The driver's pixel format, size and rate, read back.
    package let mode: CameraMode
    /// The layout of delivered frames, after decoding where the camera compresses.
    package let layout: FrameLayout
    /// The colour encoding, with the kernel's defaults resolved.
    package let colorimetry: Colorimetry
    /// The rate that the driver promises; nil when unknown.
    package let frameRate: FrameRate?

    /// True for MJPEG, whose frames need decoding.
    package var isCompressed: Bool { DeviceFormat(mode.format) == .jpeg }

    /// The driver's pixel format.
    package var deviceFourCC: FourCC { mode.format }
}
