package import PipFrames

/// The format of a camera's frames, as the driver has set it.
package struct CameraFormat: Hashable, Sendable {
    /// The driver's pixel format, size and rate, read back.
    package let mode: CameraMode
    /// The layout of delivered frames, after decoding if the driver's format needs it.
    ///
    /// The decoder of H.264 or H.265 may choose another layout.
    package let layout: FrameLayout
    /// The colour encoding of delivered frames, with V4L2's defaults resolved.
    ///
    /// An assumption for H.264 and H.265, whose pictures carry their own encoding.
    package let colorimetry: Colorimetry
    /// The frame rate that the driver reports; nil when unknown.
    package let frameRate: FrameRate?

    /// True when the camera delivers JPEG pictures.
    package var isCompressed: Bool { DeviceFormat(mode.format) == .jpeg }

    /// The V4L2 code of the driver's pixel format.
    package var deviceFourCC: FourCC { mode.format }
}
