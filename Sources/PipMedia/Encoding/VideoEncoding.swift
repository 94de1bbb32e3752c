#if Media
internal import PipFrames
internal import PipPressure

/// How a picture is encoded: ``VideoCodec``, quality, distance of key frames.
///
/// Outputs of the same picture, size and encoding share one encoder.
public struct VideoEncoding: Sendable, Hashable {
    /// What is given up for fewer bits.
    public enum Rate: Sendable, Hashable {
        /// Bits a second.
        case bits(Int)
        /// 0 to 100; the bits follow from what is seen. 75 looks right on most pictures.
        case quality(Int)
    }

    /// Work against size.
    public enum Speed: String, Sendable, CaseIterable {
        case fastest, fast, balanced, thorough
    }

    /// What a decoder of H.264 has to be capable of.
    public enum Profile: String, Sendable, CaseIterable {
        /// What every browser plays, by hardware on the smallest devices, too.
        case constrainedBaseline = "constrained-baseline"
        case main, high
    }

    /// How it is compressed.
    public var codec: VideoCodec
    /// Bits or quality; nil takes ``VideoCodec/bitRate(width:height:framesPerSecond:)``.
    public var rate: Rate?
    /// Time between two key frames, at most; zero makes each frame one.
    public var keyFrameInterval: Duration
    /// The work that goes into each frame.
    public var speed: Speed
    /// The encoder by the engine's name, as `x264enc`; nil takes the first that works.
    public var encoder: String?
    /// What a decoder of H.264 has to be capable of; nil leaves it to the encoder.
    public var profile: Profile?
    /// Threads that a software encoder works with, 1 to 64; nil leaves it to the encoder.
    ///
    /// One takes the least of the processors all in all, and a frame the longest. x264, openh264, x265, libvpx and
    /// libaom keep to it.
    public var threads: Int?

    /// - Parameters:
    ///   - codec: How it is compressed.
    ///   - rate: Bits or quality; nil takes the table's bits.
    ///   - keyFrameInterval: Time between two key frames, at most; zero makes each frame one.
    ///   - speed: The work that goes into each frame.
    ///   - encoder: The encoder by the engine's name; nil takes the first that works.
    ///   - profile: What a decoder of H.264 has to be capable of; nil leaves it to the encoder.
    ///   - threads: Threads that a software encoder works with; nil leaves it to the encoder.
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

    /// For WebRTC: H.264 that every browser plays, or VP8, with a key frame every ten seconds and when a viewer asks.
    ///
    /// - Parameters:
    ///   - codec: `h264` or `vp8`.
    ///   - rate: Bits or quality; nil takes the table's bits.
    /// - Returns: The encoding.
    public static func webRTC(_ codec: VideoCodec = .h264, rate: Rate? = nil) -> VideoEncoding {
        VideoEncoding(
            codec, rate: rate, keyFrameInterval: .seconds(10), profile: codec == .h264 ? .constrainedBaseline : nil)
    }

    /// The filter between its encoder and the parser; empty where the encoder has the choice.
    var profileFilter: String {
        guard codec == .h264, let profile else { return "" }
        return "video/x-h264,profile=\(profile.rawValue) ! "
    }

    /// The same for fewer bits and less work.
    ///
    /// - Parameters:
    ///   - relief: What is given up.
    ///   - size: The size of the frames.
    ///   - frameRate: Frames a second.
    /// - Returns: The encoding, with its bits or its quality as a number where they are given up.
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

    /// What is wrong with it, as a sentence without its full stop; nil when all is well.
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

    /// Frames from one key frame to the next.
    func keyFrameDistance(_ frameRate: FrameRate) -> Int {
        max(1, Int((frameRate.framesPerSecond * Double(keyFrameInterval.nanoseconds) / 1e9).rounded()))
    }

    /// Bits a second for frames of a size.
    func bitRate(_ size: PixelSize, _ frameRate: FrameRate) -> Int {
        if case .bits(let bits) = rate { return bits }
        return codec.bitRate(width: size.width, height: size.height, framesPerSecond: frameRate.framesPerSecond)
    }
}
#endif
