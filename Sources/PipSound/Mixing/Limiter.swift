internal import Glibc
internal import PipFrames

/// Limits sound to a ceiling: the gain falls before a peak arrives, and rises after it.
///
/// The look-ahead delays the sound. For the length of the look-ahead, the limiter holds the gain that each frame needs
/// (a sliding minimum). The gain then rises exponentially, and is averaged over the look-ahead. So no frame gets more
/// gain than the frame permits, and the gain has no steps.
///
/// Source: Lemire, "Streaming Maximum-Minimum Filter Using No More than Three Comparisons per Element".
package struct Limiter: Sendable {
    /// The level that no sample exceeds.
    package let ceiling: Decibels
    private let format: AudioFormat
    private let amplitude: Float
    /// The look-ahead in frames.
    private let delay: Int
    /// The share of the difference from unity gain that the release removes in each frame.
    private let release: Float
    /// The delayed samples, a ring buffer of ``delay`` frames.
    private var line: [Float]
    /// The gains of the last ``delay`` + 1 frames, a ring buffer whose sum is ``sum``.
    private var gains: [Float]
    private var sum: Double
    /// The candidates for the window's minimum, a ring buffer in order of growing gain.
    private var candidates: [Candidate]
    private var oldest = 0
    private var candidateCount = 0
    private var held: Float = 1
    private var linePosition = 0
    private var gainPosition = 0
    private var frame = 0

    private struct Candidate: Sendable {
        var frame = 0
        var gain: Float = 1
    }

    /// - Parameters:
    ///   - format: The format of the sound.
    ///   - ceiling: The level that no sample exceeds; a ceiling above 0 dB becomes 0 dB.
    ///   - lookAhead: The time in which the gain falls before a peak, and the delay of the sound.
    ///   - release: The time constant with which the gain rises after a peak.
    package init(
        _ format: AudioFormat, ceiling: Decibels = -1, lookAhead: Duration = .milliseconds(5),
        release: Duration = .milliseconds(100)
    ) {
        self.format = format
        self.ceiling = min(ceiling, 0)
        amplitude = self.ceiling.amplitude
        delay = max(1, format.frames(in: lookAhead.inSeconds))
        self.release = 1 - expf(-1 / Float(max(1, format.frames(in: release.inSeconds))))
        line = Array(repeating: 0, count: delay * format.channels)
        gains = Array(repeating: 1, count: delay + 1)
        sum = Double(delay + 1)
        candidates = Array(repeating: Candidate(), count: delay + 1)
    }

    /// The delay of the sound, which is the length of the look-ahead.
    package var latency: Duration { .nanoseconds(Int64(delay) * 1_000_000_000 / Int64(format.rate)) }

    /// Limits a block in place.
    ///
    /// Afterwards the block holds the sound of ``latency`` earlier, and its timestamp is moved back accordingly.
    package mutating func process(_ block: inout AudioBlock) {
        block.timestamp = block.timestamp.advanced(by: .zero - latency)
        let channels = format.channels
        unsafe block.withSamples { samples in
            for index in 0..<samples.count / channels {
                let gain = unsafe nextGain(for: peak(samples, index * channels))
                for channel in 0..<channels {
                    let place = linePosition * channels + channel
                    let delayed = line[place]
                    let sample = unsafe samples[index * channels + channel]
                    line[place] = sample.isFinite ? sample : 0
                    // Clamping keeps rounding errors from exceeding the ceiling.
                    unsafe samples[index * channels + channel] = min(max(delayed * gain, -amplitude), amplitude)
                }
                linePosition = linePosition + 1 == delay ? 0 : linePosition + 1
            }
        }
    }

    private func peak(_ samples: UnsafeMutableBufferPointer<Float>, _ first: Int) -> Float {
        var peak: Float = 0
        for channel in 0..<format.channels {
            let size = unsafe abs(samples[first + channel])
            if size.isFinite { peak = max(peak, size) }
        }
        return peak
    }

    /// The gain for the frame that leaves the delay line while a frame with this peak enters.
    private mutating func nextGain(for peak: Float) -> Float {
        let needed = peak > amplitude ? amplitude / peak : 1
        let least = minimum(with: needed)
        held = min(least, held + (1 - held) * release)
        // The release ends when less than a thousandth of a dB is left.
        if held > 0.9999, least == 1 { held = 1 }
        sum += Double(held) - Double(gains[gainPosition])
        gains[gainPosition] = held
        gainPosition = gainPosition == delay ? 0 : gainPosition + 1
        frame += 1
        return Float(sum / Double(delay + 1))
    }

    /// The least gain of the last ``delay`` + 1 frames, including the frame that needs `gain`.
    private mutating func minimum(with gain: Float) -> Float {
        let size = delay + 1
        if candidateCount > 0, candidates[oldest].frame + size <= frame {
            oldest = oldest + 1 == size ? 0 : oldest + 1
            candidateCount -= 1
        }
        while candidateCount > 0, candidates[(oldest + candidateCount - 1) % size].gain >= gain { candidateCount -= 1 }
        candidates[(oldest + candidateCount) % size] = Candidate(frame: frame, gain: gain)
        candidateCount += 1
        return candidates[oldest].gain
    }
}
