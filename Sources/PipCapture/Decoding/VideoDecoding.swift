package import PipFrames

/// A factory of decoders for cameras that send compressed video, such as H.264.
///
/// Thread: any.
package protocol VideoDecoding: Sendable {
    /// Makes a decoder for one stream.
    ///
    /// - Parameters:
    ///   - format: The driver's pixel format, such as `H264`.
    ///   - size: The size of the camera's pictures.
    /// - Returns: The decoder, which waits for the first picture.
    /// - Throws: ``VideoDecodingError`` when this machine cannot decode the format.
    func makeDecoder(of format: FourCC, _ size: PixelSize) throws(VideoDecodingError) -> any VideoDecoder
}

/// The reason why video cannot be decoded, worded to follow a colon.
package struct VideoDecodingError: Error, Equatable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// A decoder of one camera's video stream.
///
/// Thread: one thread pushes while another waits for pictures.
package protocol VideoDecoder: AnyObject, Sendable {
    /// Accepts a coded picture.
    ///
    /// The decoder copies the bytes, and does not block.
    ///
    /// - Parameters:
    ///   - bytes: A whole access unit, as the camera sent it.
    ///   - time: The capture time, which the decoded picture carries as well.
    /// - Returns: False for a rejected picture, for example while the decoder is behind or waits for a key picture.
    @unsafe func push(_ bytes: UnsafeRawBufferPointer, at time: Timestamp) -> Bool

    /// Waits for the next decoded picture, but not longer than `patience`.
    func next(within patience: Duration) -> DecodedVideo

    /// Stops the decoder.
    ///
    /// Pictures that ``next(within:)`` has not returned are lost.
    func stop()
}

/// The result of a wait for a decoder's next picture.
package enum DecodedVideo: Sendable {
    /// A picture in the decoder's memory, with the capture time of its coded picture.
    case picture(FrameLayout, Colorimetry, FrameBuffer, time: Timestamp)
    case nothing
    /// The decoder has failed for good.
    ///
    /// The text is the reason.
    case failed(String)
}
