package import PipFrames

/// A factory of decoders for cameras that send video such as H.264, whose pictures depend on earlier ones.
///
/// Thread: any.
package protocol VideoDecoding: Sendable {
    /// Makes a decoder for one stream.
    ///
    /// - Parameters:
    ///   - format: The driver's format.
    ///   - size: The size of the camera's pictures.
    /// - Returns: The decoder, which waits for the first picture.
    /// - Throws: ``VideoDecodingError`` when this machine cannot decode the format.
    func makeDecoder(of format: FourCC, _ size: PixelSize) throws(VideoDecodingError) -> any VideoDecoder
}

/// The reason for undecodable video, worded to follow a colon.
package struct VideoDecodingError: Error, Equatable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// A decoder of one camera's video.
///
/// Thread: one thread pushes while another waits for pictures.
package protocol VideoDecoder: AnyObject, Sendable {
    /// Accepts a coded picture.
    ///
    /// Copies the bytes, and does not block.
    ///
    /// - Parameters:
    ///   - bytes: A whole access unit, as the camera sent it.
    ///   - time: The capture time, which the decoded picture carries as well.
    /// - Returns: False for a rejected picture: the decoder is behind, or waits for a key picture.
    @unsafe func push(_ bytes: UnsafeRawBufferPointer, at time: Timestamp) -> Bool

    /// Waits for the next decoded picture.
    func next(within patience: Duration) -> DecodedVideo

    /// Stops the decoder.
    ///
    /// Pictures that have not come out are lost.
    func stop()
}

/// The result of a wait for a decoder.
package enum DecodedVideo: Sendable {
    /// A picture in the decoder's memory, with the time that it was pushed with.
    case picture(FrameLayout, Colorimetry, FrameBuffer, time: Timestamp)
    case nothing
    /// The decoder has failed for good.
    ///
    /// The text is the reason.
    case failed(String)
}
