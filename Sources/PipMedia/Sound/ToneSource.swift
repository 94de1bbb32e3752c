#if Media
internal import Glibc
internal import PipFrames
public import PipSound

/// A sine tone, for tests of levels and connections.
public struct ToneSource: AudioSource {
    private let frequency: Double
    private let level: Decibels

    /// Creates a tone.
    ///
    /// - Parameters:
    ///   - frequency: The frequency in hertz, at least 0 and below 24,000.
    ///   - level: The level of the tone's peaks.
    public init(_ frequency: Double = 440, level: Decibels = -18) {
        self.frequency = frequency
        self.level = level
    }

    /// A source of silence, for outputs that need a sound track without sound.
    public static let silence = ToneSource(0, level: .silence)

    public var label: String { level == .silence ? "silence" : "tone of \(Int(frequency)) Hz" }

    public var opening: AudioOpening {
        let (frequency, amplitude) = (frequency, level.amplitude)
        return AudioOpening { (context) throws(SoundError) in
            guard (0..<24_000).contains(frequency) else {
                throw SoundError(
                    .unsupported, subject: "a tone of \(frequency) Hz", operation: "make it",
                    reason: "the frequency must be at least 0 and below 24000 Hz")
            }
            let cycles = frequency / Double(context.frames.rate)
            return GeneratedSound(rate: context.frames.rate) { frame in
                let phase = Double(frame) * cycles
                return Float(sin(2 * .pi * (phase - phase.rounded(.down)))) * amplitude
            }
        }
    }
}

/// A beep of a tenth of a second at each whole second of `CLOCK_MONOTONIC`, for measuring the offset between sound and
/// picture.
public struct BeepSource: AudioSource {
    private let frequency = 1000.0
    private let level: Decibels

    /// Creates a beep.
    ///
    /// - Parameter level: The level of the beep's peaks.
    public init(level: Decibels = -6) { self.level = level }

    public var label: String { "beep" }

    public var opening: AudioOpening {
        let (frequency, amplitude) = (frequency, level.amplitude)
        return AudioOpening { context in
            let clock = context.frames
            return GeneratedSound(rate: clock.rate) { frame in
                let fraction = Double(clock.time(ofFrame: frame).nanoseconds % 1_000_000_000) / 1e9
                return fraction < 0.1 ? Float(cos(2 * .pi * frequency * fraction)) * amplitude : 0
            }
        }
    }
}

/// Sound that is generated as a function of the sample number.
private final class GeneratedSound: AudioReader {
    private let format: AudioFormat
    private let sample: @Sendable (Int) -> Float

    init(rate: Int, _ sample: @escaping @Sendable (Int) -> Float) {
        // Every mixer runs at the house rate, which is the rate of `mono`.
        format = .mono
        self.sample = sample
    }

    func read(from frame: Int, count: Int) -> AudioBlock {
        AudioBlock(format, samples: (frame..<frame + count).map(sample))
    }

    var status: AudioStatus { AudioStatus(.sounding) }

    func stop() {}
}
#endif
