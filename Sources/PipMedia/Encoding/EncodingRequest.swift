#if Media
internal import PipFrames
internal import PipPressure

/// A request to an encoder: the encoding, and a description of the frames to encode.
struct EncodingRequest: Sendable {
    var encoding: VideoEncoding
    /// The frames' layout and colours.
    let info: FrameInfo
    /// The frames a second; at a variable rate, the highest.
    let rate: FrameRate

    init(_ encoding: VideoEncoding, of info: FrameInfo, rate: FrameRate) {
        (self.encoding, self.info, self.rate) = (encoding, info, rate)
    }

    /// Returns the request with a reduced encoding: fewer bits or less work.
    func relieved(by relief: EncodingRelief) -> EncodingRequest {
        var request = self
        request.encoding = encoding.relieved(by: relief, info.layout.size, rate)
        return request
    }
}
#endif
