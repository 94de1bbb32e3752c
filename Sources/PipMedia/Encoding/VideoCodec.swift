#if Media
/// How moving pictures are compressed.
public enum VideoCodec: String, Sendable, CaseIterable {
    case h264, h265, av1, vp8, vp9, mjpeg

    /// The name that people know.
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

    /// Bits a second for pictures of a size, where nobody asks for a bit rate.
    ///
    /// For H.264: 0.1 bits a pixel at 30 frames a second and 1280 × 720, that is 2.8 Mbit/s; more pictures and larger
    /// ones are more alike, so that both count with the power of 0.75. H.265 and VP9 take 0.65 of that, AV1 half,
    /// VP8 1.1, MJPEG eight times as much.
    ///
    /// - Parameters:
    ///   - width: In pixels.
    ///   - height: In pixels.
    ///   - framesPerSecond: The rate.
    /// - Returns: Bits a second, at least 64,000.
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
        let rate = 0.1 * 1280 * 720 * 30 * share * power(pixels) * power(max(framesPerSecond, 1) / 30)
        return max(64_000, Int((rate / 1000).rounded()) * 1000)
    }

    /// The elements between an encoder and what takes its packets, and the packets' format.
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

    /// The element that brings packets into the form that a container wants; empty where they have it.
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

/// The power of 0.75.
private func power(_ value: Double) -> Double { (value * value * value).squareRoot().squareRoot() }
#endif
