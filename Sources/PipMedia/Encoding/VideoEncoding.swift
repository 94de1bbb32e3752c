#if Media
internal import PipFrames
internal import PipPressure

/// The encoding of a picture: codec, bit rate or quality, and interval of key frames.
///
/// Pass an encoding to an output, such as a movie file or a stream. Outputs with the same picture, size, frame rate
/// and encoding share one encoder.
public struct VideoEncoding: Sendable, Hashable {
    /// The target of an encoder: a bit rate or a quality.
    public enum Rate: Sendable, Hashable {
        /// A bit rate in bits a second; Motion JPEG has the quality 85 instead.
        case bits(Int)
        /// A quality from 0 to 100, at a bit rate that depends on the picture; 75 looks right for most pictures.
        ///
        /// The encoders of V4L2 and Rockchip devices and SVT-AV1 encode at the codec's default bit rate instead.
        case quality(Int)
    }

    /// The encoder's speed: a slower encoder takes more CPU time, but needs fewer bits for the same quality.
    ///
    /// x264, x265, libvpx, libaom and SVT-AV1 use the speed; other encoders ignore it.
    public enum Speed: String, Sendable, CaseIterable {
        case fastest, fast, balanced, thorough
    }

    /// The H.264 profile: the features that a player's decoder must support.
    ///
    /// Old or small players need a smaller profile.
    public enum Profile: String, Sendable, CaseIterable {
        /// The profile that every browser plays, and that the smallest devices decode in hardware.
        case constrainedBaseline = "constrained-baseline"
        case main, high
    }

    /// The codec of the packets.
    public var codec: VideoCodec
    /// The bit rate or the quality; nil takes ``VideoCodec/bitRate(width:height:framesPerSecond:)``.
    public var rate: Rate?
    /// The longest time between two key frames; zero makes every frame a key frame.
    public var keyFrameInterval: Duration
    /// The encoder's speed; a faster encoder needs more bits for the same quality.
    public var speed: Speed
    /// The GStreamer name of the encoder, such as `x264enc`; nil takes the first encoder that works.
    public var encoder: String?
    /// The H.264 profile; nil leaves the profile to the encoder.
    public var profile: Profile?
    /// The number of a software encoder's threads, from 1 to 64; nil leaves the number to the encoder.
    ///
    /// One thread costs the least CPU time in total, but takes the longest for each frame. x264, openh264, x265, libvpx
    /// and libaom use this number; other encoders ignore it.
    public var threads: Int?
    /// True under pressure: the encoder does as little work as it can without other parameter sets, so that a file
    /// continues.
    var savesWork = false
    /// True to leave out encoders that hold back many frames, unless ``encoder`` names one.
    ///
    /// A power cut loses the frames that an encoder holds.
    var isPrompt = false

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - codec: The codec of the packets.
    ///   - rate: The bit rate or the quality. Nil takes the codec's default bit rate.
    ///   - keyFrameInterval: The longest time between two key frames. Zero makes every frame a key frame.
    ///   - speed: The encoder's speed. A faster encoder needs more bits for the same quality.
    ///   - encoder: The GStreamer name of the encoder. Nil takes the first encoder that works.
    ///   - profile: The H.264 profile. Nil leaves the profile to the encoder.
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

    /// Creates an encoding for WebRTC: the H.264 profile that every browser plays, or VP8.
    ///
    /// Key frames come every ten seconds and on request.
    ///
    /// - Parameters:
    ///   - codec: `h264` or `vp8`. Nil takes H.264, or VP8 where no H.264 encoder is installed.
    ///   - rate: The bit rate or the quality. Nil takes the codec's default bit rate.
    /// - Returns: The encoding.
    public static func webRTC(_ codec: VideoCodec? = nil, rate: Rate? = nil) -> VideoEncoding {
        let installed = VideoTrack.codecs.first { (try? EncoderChoice.format(VideoEncoding($0))) != nil }
        let codec = codec ?? installed ?? .h264
        return VideoEncoding(
            codec, rate: rate, keyFrameInterval: .seconds(10), profile: codec == .h264 ? .constrainedBaseline : nil)
    }

    /// The caps filter after the encoder that requests the H.264 profile, with its link; empty when the encoder
    /// chooses.
    var profileFilter: String {
        guard codec == .h264, let profile else { return "" }
        return "video/x-h264,profile=\(profile.rawValue) ! "
    }

    /// Returns the encoding with fewer bits or less work.
    ///
    /// - Parameters:
    ///   - relief: The reduction to apply.
    ///   - size: The size of the frames.
    ///   - frameRate: The frames a second.
    /// - Returns: The reduced encoding; a reduced rate is an explicit bit rate or quality.
    func relieved(by relief: EncodingRelief, _ size: PixelSize, _ frameRate: FrameRate) -> VideoEncoding {
        var encoding = self
        encoding.savesWork = relief.isFastest && speed != .fastest
        guard relief.bitRateShare < 1 else { return encoding }
        if case .quality(let quality) = rate {
            encoding.rate = .quality(Int(Double(quality) * relief.bitRateShare))
        } else {
            encoding.rate = .bits(max(10_000, Int(Double(bitRate(size, frameRate)) * relief.bitRateShare)))
        }
        return encoding
    }

    /// The first invalid setting and its limits, as a sentence without its full stop; nil for a valid encoding.
    var mistake: String? {
        switch rate {
        case .bits(let bits) where !(10_000...1_000_000_000).contains(bits):
            return "a bit rate of \(bits) bits a second is not between 10 kbit/s and 1 Gbit/s"
        case .quality(let quality) where !(0...100).contains(quality):
            return "a quality of \(quality) is not between 0 and 100"
        default: break
        }
        if keyFrameInterval < .zero || keyFrameInterval > .seconds(60) {
            return "a key frame interval of \(keyFrameInterval) is not between 0 (every frame) and 60 seconds"
        }
        if let threads, !(1...64).contains(threads) {
            return "an encoder cannot have \(threads) threads: the number must be from 1 to 64"
        }
        return nil
    }

    /// The largest number of frames from one key frame to the next, at least 1.
    func keyFrameDistance(_ frameRate: FrameRate) -> Int {
        max(1, Int((frameRate.framesPerSecond * Double(keyFrameInterval.nanoseconds) / 1e9).rounded()))
    }

    /// The bit rate in bits a second for frames of a size and rate; the codec's default when ``rate`` is not a bit
    /// rate.
    func bitRate(_ size: PixelSize, _ frameRate: FrameRate) -> Int {
        if case .bits(let bits) = rate { return bits }
        return codec.bitRate(width: size.width, height: size.height, framesPerSecond: frameRate.framesPerSecond)
    }
}
#endif
