/// The sample rate and the channels of sound; samples are 32-bit floats, full scale from -1 to 1, interleaved.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
    /// Frames per second, in hertz; a frame holds one sample for each channel.
    public let rate: Int
    /// Samples in a frame.
    public let channels: Int

    /// The rates that are accepted, in hertz.
    public static let rates = 8000...192_000
    /// The numbers of channels that are accepted.
    public static let channelCounts = 1...8
    /// The rate at which sound is mixed, in hertz.
    public static let houseRate = 48_000

    /// 48 kHz, one channel.
    public static let mono = AudioFormat(unchecked: houseRate, channels: 1)
    /// 48 kHz, left and right.
    public static let stereo = AudioFormat(unchecked: houseRate, channels: 2)

    /// A format by its rate and channels.
    ///
    /// - Parameters:
    ///   - rate: Frames per second, from 8000 to 192000.
    ///   - channels: 1 to 8.
    /// - Throws: ``SoundError`` when one of them is out of range.
    public init(rate: Int = AudioFormat.houseRate, channels: Int) throws(SoundError) {
        guard Self.rates.contains(rate) else {
            throw SoundError(
                .unsupported, subject: "\(rate) Hz", operation: "use this sample rate",
                reason: "it must be from \(Self.rates.lowerBound) to \(Self.rates.upperBound) Hz")
        }
        guard Self.channelCounts.contains(channels) else {
            throw SoundError(
                .unsupported, subject: "\(channels) channels", operation: "use so many",
                reason: "there must be 1 to \(Self.channelCounts.upperBound)")
        }
        self.init(unchecked: rate, channels: channels)
    }

    private init(unchecked rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }

    /// The same channels at the rate at which sound is mixed.
    package var atHouseRate: AudioFormat { AudioFormat(unchecked: Self.houseRate, channels: channels) }

    /// The frames in a time, rounded to the nearest.
    package func frames(in seconds: Double) -> Int { Int((seconds * Double(rate)).rounded()) }

    /// `48000 Hz stereo` or `16000 Hz, 4 channels`.
    public var description: String {
        switch channels {
        case 1: "\(rate) Hz mono"
        case 2: "\(rate) Hz stereo"
        default: "\(rate) Hz, \(channels) channels"
        }
    }
}
