/// A camera's frame as its driver delivered it, in memory of its own: the driver has its buffer back.
package struct CapturedFrame: Sendable {
    /// The picture.
    package enum Payload: Sendable {
        /// A JPEG picture, byte for byte.
        case jpeg([UInt8])
        /// A picture of a stream of video, byte for byte: H.264 or H.265 with start codes.
        case video([UInt8], FourCC)
        /// Pixels in the layout of the frame's ``CapturedFrame/info``.
        case pixels(FrameBuffer)
    }

    /// Layout, colours and timestamp; the layout of a compressed picture is that of its decoded frame.
    package let info: FrameInfo
    /// The rate that the driver promises; nil when it does not say.
    package let rate: FrameRate?
    package let payload: Payload

    package init(info: FrameInfo, rate: FrameRate?, payload: Payload) {
        self.info = info
        self.rate = rate
        self.payload = payload
    }
}
