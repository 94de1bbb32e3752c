package import PipFrames

/// Decoders for cameras that send video, such as H.264: pictures that need those before them.
///
/// Any thread may call.
package protocol VideoDecoding: Sendable {
    /// Makes a decoder for one stream.
    ///
    /// - Parameters:
    ///   - format: The driver's format.
    ///   - size: The size of its pictures.
    /// - Returns: The decoder, which waits for the first picture.
    /// - Throws: ``VideoDecodingError`` when this machine cannot decode the format.
    func makeDecoder(of format: FourCC, _ size: PixelSize) throws(VideoDecodingError) -> any VideoDecoder
}

/// The reason why video cannot be decoded, to follow a colon.
package struct VideoDecodingError: Error, Equatable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// A decoder of one camera's video.
///
/// One thread pushes and another one waits, at the same time.
package protocol VideoDecoder: AnyObject, Sendable {
    /// Takes a coded picture; the bytes are copied, and nothing is waited for.
    ///
    /// - Parameters:
    ///   - bytes: A whole access unit, as the camera sent it.
    ///   - time: When it was taken; what is decoded from it has the same time.
    /// - Returns: False for a picture that it does not take: it is behind, or waits for one that it can begin with.
    @unsafe func push(_ bytes: UnsafeRawBufferPointer, at time: Timestamp) -> Bool

    /// Waits for the next decoded picture.
    func next(within patience: Duration) -> DecodedVideo

    /// Ends it; pictures that have not come out are lost.
    func stop()
}

/// What came of a wait for a decoder.
package enum DecodedVideo: Sendable {
    /// A picture in memory of the decoder's, by the time that it was pushed with.
    case picture(FrameLayout, Colorimetry, FrameBuffer, time: Timestamp)
    case nothing
    /// It decodes nothing any more; with the reason.
    case failed(String)
}
