/// The sample rate and the channels of sound.
///
/// Use a format to describe inputs, mixes and files. In memory, samples are interleaved 32-bit floats, with full scale
/// from -1 to 1.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
    /// The sample rate.
    ///
    /// Units: hertz, counted in frames of one sample for each channel.
    public let rate: Int
    /// The number of channels, and of samples in a frame.
    public let channels: Int

    /// The accepted sample rates.
    ///
    /// Units: hertz.
    public static let rates = 8000...192_000
    /// The accepted numbers of channels.
    public static let channelCounts = 1...8
    /// The sample rate of all mixes.
    ///
    /// Units: hertz.
    public static let houseRate = 48_000

    /// One channel at 48 kHz.
    public static let mono = AudioFormat(unchecked: houseRate, channels: 1)
    /// Left and right channels at 48 kHz.
    public static let stereo = AudioFormat(unchecked: houseRate, channels: 2)

    /// Creates a format from its sample rate and number of channels.
    ///
    /// - Parameters:
    ///   - rate: The sample rate, from 8000 to 192000 Hz.
    ///   - channels: The number of channels, 1 to 8.
    /// - Throws: ``SoundError`` when the rate or the number of channels is out of range.
    public init(rate: Int = AudioFormat.houseRate, channels: Int) throws(SoundError) {
        guard Self.rates.contains(rate) else {
            throw SoundError(
                .unsupported, subject: "\(rate) Hz", operation: "use this sample rate",
                reason: "the sample rate must be from \(Self.rates.lowerBound) to \(Self.rates.upperBound) Hz")
        }
        guard Self.channelCounts.contains(channels) else {
            throw SoundError(
                .unsupported, subject: "\(channels) channels", operation: "use this number",
                reason: "the number of channels must be from 1 to \(Self.channelCounts.upperBound)")
        }
        self.init(unchecked: rate, channels: channels)
    }

    private init(unchecked rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }

    /// The number of frames in `seconds`, rounded to the nearest frame.
    package func frames(in seconds: Double) -> Int { Int((seconds * Double(rate)).rounded()) }

    /// The format as text: `48000 Hz stereo` or `16000 Hz, 4 channels`.
    public var description: String {
        switch channels {
        case 1: "\(rate) Hz mono"
        case 2: "\(rate) Hz stereo"
        default: "\(rate) Hz, \(channels) channels"
        }
    }
}
