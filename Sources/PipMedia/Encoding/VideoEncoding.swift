#if Media
internal import PipFrames
internal import PipPressure

/// The encoding of a picture: codec, quality, distance of key frames.
///
/// Pass one to an output, such as a movie file or a stream. Outputs of the same picture, size and encoding share one
/// encoder.
public struct VideoEncoding: Sendable, Hashable {
    /// The limit of an encoding: its bit rate or its quality.
    public enum Rate: Sendable, Hashable {
        /// A bit rate, in bits a second.
        case bits(Int)
        /// A quality from 0 to 100, at a bit rate that depends on the picture; 75 looks right on most pictures.
        case quality(Int)
    }

    /// The trade of processor time for fewer bits.
    public enum Speed: String, Sendable, CaseIterable {
        case fastest, fast, balanced, thorough
    }

    /// The features that a decoder of H.264 must have; choose a smaller profile for old or small players.
    public enum Profile: String, Sendable, CaseIterable {
        /// The profile that every browser plays, and that the smallest devices decode in hardware.
        case constrainedBaseline = "constrained-baseline"
        case main, high
    }

    /// The codec.
    public var codec: VideoCodec
    /// The bit rate or the quality; nil takes ``VideoCodec/bitRate(width:height:framesPerSecond:)``.
    public var rate: Rate?
    /// The longest time between two key frames; zero makes each frame a key frame.
    public var keyFrameInterval: Duration
    /// The work spent on each frame.
    public var speed: Speed
    /// The encoder's name in the engine, such as `x264enc`; nil takes the first that works.
    public var encoder: String?
    /// The features that a decoder of H.264 must have; nil leaves the profile to the encoder.
    public var profile: Profile?
    /// The number of a software encoder's threads, from 1 to 64; nil leaves the number to the encoder.
    ///
    /// One thread costs the least processor time in total, but takes the longest for a frame. x264, openh264, x265,
    /// libvpx and libaom obey the number.
    public var threads: Int?

    /// - Parameters:
    ///   - codec: The codec.
    ///   - rate: The bit rate or the quality. Nil takes the codec's default bit rate.
    ///   - keyFrameInterval: The longest time between two key frames. Zero makes each frame a key frame.
    ///   - speed: The work spent on each frame.
    ///   - encoder: The encoder's name in the engine. Nil takes the first that works.
    ///   - profile: The features that a decoder of H.264 must have. Nil leaves the profile to the encoder.
    ///   - threads: The number of a software encoder's threads. Nil leaves the number to the encoder.
    public init(
        _ codec: VideoCodec = .h264, rate: Rate? = nil, keyFrameInterval: Duration = .seconds(2),
        speed: Speed = .fast, encoder: String? = nil, profile: Profile? = nil, threads: Int? = nil
    ) {
        self.codec = codec
        self.rate = rate
        self.keyFrameInterval = keyFrameInterval
        self.speed = speed
        self.encoder = encoder
        self.profile = profile
        self.threads = threads
    }

    /// An encoding for WebRTC: the H.264 profile of every browser, or VP8, with key frames every ten seconds and on
    /// request.
    ///
    /// - Parameters:
    ///   - codec: `h264` or `vp8`.
    ///   - rate: The bit rate or the quality. Nil takes the codec's default bit rate.
    /// - Returns: The encoding.
    public static func webRTC(_ codec: VideoCodec = .h264, rate: Rate? = nil) -> VideoEncoding {
        VideoEncoding(
            codec, rate: rate, keyFrameInterval: .seconds(10), profile: codec == .h264 ? .constrainedBaseline : nil)
    }

    /// The filter after the encoder that requests the profile; empty where the encoder chooses.
    var profileFilter: String {
        guard codec == .h264, let profile else { return "" }
        return "video/x-h264,profile=\(profile.rawValue) ! "
    }

    /// The same encoding with fewer bits or less work.
    ///
    /// - Parameters:
    ///   - relief: The reduction.
    ///   - size: The size of the frames.
    ///   - frameRate: The frames a second.
    /// - Returns: The encoding. A reduced bit rate or quality is a number in it.
    func relieved(by relief: EncodingRelief, _ size: PixelSize, _ frameRate: FrameRate) -> VideoEncoding {
        var encoding = self
        if relief.isFastest { encoding.speed = .fastest }
        guard relief.bitRateShare < 1 else { return encoding }
        if case .quality(let quality) = rate {
            encoding.rate = .quality(Int(Double(quality) * relief.bitRateShare))
        } else {
            encoding.rate = .bits(max(10_000, Int(Double(bitRate(size, frameRate)) * relief.bitRateShare)))
        }
        return encoding
    }

    /// The first invalid setting, as a sentence without its full stop; nil for a valid encoding.
    var mistake: String? {
        switch rate {
        case .bits(let bits) where !(10_000...1_000_000_000).contains(bits):
            return "a bit rate of \(bits) bits a second is not between 10 kbit/s and 1 Gbit/s"
        case .quality(let quality) where !(0...100).contains(quality):
            return "a quality of \(quality) is not between 0 and 100"
        default: break
        }
        if keyFrameInterval < .zero || keyFrameInterval > .seconds(60) {
            return "a key frame every \(keyFrameInterval) is not between 0 (every frame) and a minute"
        }
        if let threads, !(1...64).contains(threads) {
            return "\(threads) threads of an encoder are not between 1 and 64"
        }
        return nil
    }

    /// The distance between key frames, in frames.
    func keyFrameDistance(_ frameRate: FrameRate) -> Int {
        max(1, Int((frameRate.framesPerSecond * Double(keyFrameInterval.nanoseconds) / 1e9).rounded()))
    }

    /// The bit rate for frames of a size, in bits a second.
    func bitRate(_ size: PixelSize, _ frameRate: FrameRate) -> Int {
        if case .bits(let bits) = rate { return bits }
        return codec.bitRate(width: size.width, height: size.height, framesPerSecond: frameRate.framesPerSecond)
    }
}
#endif
