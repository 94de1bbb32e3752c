#if Media
/// A video codec that the media engine encodes.
public enum VideoCodec: String, Sendable, CaseIterable {
    case h264, h265, av1, vp8, vp9, mjpeg

    /// The codec's usual name, such as `H.264`.
    public var name: String {
        switch self {
        case .h264: "H.264"
        case .h265: "H.265"
        case .av1: "AV1"
        case .vp8: "VP8"
        case .vp9: "VP9"
        case .mjpeg: "MJPEG"
        }
    }

    /// The default bit rate for pictures of a size.
    ///
    /// H.264 gets 0.1 bits a pixel at 1280 × 720 and 30 frames a second, which is 2.8 Mbit/s. The rate grows with
    /// the number of pixels and with the frame rate, each to the power of 0.75, because adjacent pixels and successive
    /// frames then differ less.
    ///
    /// H.265 and VP9 get 0.65 of H.264's rate, AV1 half, VP8 1.1 times and MJPEG eight times as much.
    ///
    /// - Parameters:
    ///   - width: The pictures' width in pixels.
    ///   - height: The pictures' height in pixels.
    ///   - framesPerSecond: The frame rate.
    /// - Returns: The bit rate in bits a second, at least 64,000.
    public func bitRate(width: Int, height: Int, framesPerSecond: Double) -> Int {
        let share =
            switch self {
            case .h264: 1.0
            case .h265, .vp9: 0.65
            case .av1: 0.5
            case .vp8: 1.1
            case .mjpeg: 8.0
            }
        let pixels = Double(width) * Double(height) / (1280 * 720)
        let rate =
            0.1 * 1280 * 720 * 30 * share * threeQuarterPower(pixels) * threeQuarterPower(max(framesPerSecond, 1) / 30)
        return max(64_000, Int((rate / 1000).rounded()) * 1000)
    }

    /// The GStreamer elements after an encoder, and the caps of the packets.
    var parser: String {
        switch self {
        case .h264: "h264parse config-interval=-1 ! video/x-h264,stream-format=byte-stream,alignment=au"
        case .h265: "h265parse config-interval=-1 ! video/x-h265,stream-format=byte-stream,alignment=au"
        case .av1: "av1parse ! video/x-av1,stream-format=obu-stream,alignment=tu"
        case .vp9: "vp9parse ! video/x-vp9,alignment=super-frame"
        case .vp8: "video/x-vp8"
        case .mjpeg: "image/jpeg"
        }
    }

    /// The GStreamer element that brings packets into the form that containers need, with its link; empty when none is
    /// needed.
    var containerParser: String {
        switch self {
        case .h264: "h264parse ! "
        case .h265: "h265parse ! "
        case .av1: "av1parse ! "
        case .vp9: "vp9parse ! "
        case .vp8, .mjpeg: ""
        }
    }
}

private func threeQuarterPower(_ value: Double) -> Double { (value * value * value).squareRoot().squareRoot() }
#endif
