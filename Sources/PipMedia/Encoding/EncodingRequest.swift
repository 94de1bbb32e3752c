#if Media
internal import PipFrames
internal import PipPressure

/// A request to an encoder: the encoding, and the frames to encode.
struct EncodingRequest: Sendable {
    var encoding: VideoEncoding
    /// The frames' format and colours.
    let info: FrameInfo
    /// The highest frame rate.
    let rate: FrameRate

    init(_ encoding: VideoEncoding, of info: FrameInfo, rate: FrameRate) {
        (self.encoding, self.info, self.rate) = (encoding, info, rate)
    }

    /// The request with an encoding of fewer bits or less work.
    func relieved(by relief: EncodingRelief) -> EncodingRequest {
        var request = self
        request.encoding = encoding.relieved(by: relief, info.layout.size, rate)
        return request
    }
}
#endif
