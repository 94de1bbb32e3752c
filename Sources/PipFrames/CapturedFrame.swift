/// A copy of a camera's frame, made so that the driver can reuse its buffer.
package struct CapturedFrame: Sendable {
    /// The frame's contents: compressed as the driver delivered them, or pixels.
    package enum Payload: Sendable {
        /// A JPEG picture, unchanged.
        case jpeg([UInt8])
        /// A picture of a video stream in H.264 or H.265 with start codes, unchanged. The code names the V4L2 format.
        case video([UInt8], FourCC)
        /// Pixels in the layout of the frame's ``CapturedFrame/info``.
        case pixels(FrameBuffer)
    }

    /// The layout, colour encoding and timestamp.
    ///
    /// The layout of a compressed picture describes the decoded frame.
    package let info: FrameInfo
    /// The frame rate that the driver promises; nil when the driver does not report one.
    package let rate: FrameRate?
    package let payload: Payload

    package init(info: FrameInfo, rate: FrameRate?, payload: Payload) {
        self.info = info
        self.rate = rate
        self.payload = payload
    }
}
