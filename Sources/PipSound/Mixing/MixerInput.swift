internal import Glibc

/// One input of a ``BlockMixer``, with its settings and the progress of their ramps.
struct MixerInput: Sendable {
    /// The number of channels of the newest block; of the input's format before the first block.
    private var channels: Int
    var settings: AudioInputSettings
    var isSelected: Bool
    /// The length of fades, in frames; nil means that fades are as long as the mixer's ramp.
    ///
    /// A fade to a mute is always as long as the ramp.
    var fade: Int?
    /// The current gain factors of the output's channels.
    private var factors: SIMD8<Float>
    /// The gain factors at the end of the ramp.
    private var goal: SIMD8<Float>
    private var slope = SIMD8<Float>(repeating: 0)
    /// The number of frames until the factors reach ``goal``.
    private var left = 0
    /// The phase of the equal-power fade, from 0 (silent) to 1 (full).
    private var phase: Float

    init(_ format: AudioFormat, _ settings: AudioInputSettings, isSelected: Bool, outputs: Int) {
        channels = format.channels
        self.settings = settings
        self.isSelected = isSelected
        factors = settings.factors(channels: outputs)
        goal = factors
        phase = isSelected && !settings.isMuted ? 1 : 0
    }

    private var phaseGoal: Float { isSelected && !settings.isMuted ? 1 : 0 }

    /// Adds the input's sound to the output's samples.
    ///
    /// - Parameters:
    ///   - block: The input's sound, with as many frames as the output.
    ///   - output: The output's samples.
    ///   - outputs: The number of the output's channels.
    ///   - ramp: The length of the mixer's ramp, in frames.
    mutating func add(_ block: AudioBlock, to output: UnsafeMutableBufferPointer<Float>, outputs: Int, ramp: Int) {
        aim(outputs, ramp)
        channels = block.format.channels
        let frames = min(block.frames, output.count / outputs)
        let changing = left > 0 || phase != phaseGoal
        unsafe block.samples.withUnsafeBufferPointer { samples in
            var first = 0
            if changing { first = unsafe addChanging(samples, output, outputs, frames, ramp) }
            guard phase > 0, first < frames else { return }
            unsafe addSteady(samples, output, outputs, first..<frames)
        }
    }

    /// Starts a ramp when the gain or the balance has changed.
    private mutating func aim(_ outputs: Int, _ ramp: Int) {
        let wanted = settings.factors(channels: outputs)
        guard wanted != goal else { return }
        goal = wanted
        slope = (wanted - factors) / Float(ramp)
        left = ramp
    }

    /// Adds frames while the gain, the balance or the fade changes.
    ///
    /// - Returns: The number of added frames: those until all changes are complete, or all frames of the block.
    private mutating func addChanging(
        _ samples: UnsafeBufferPointer<Float>, _ output: UnsafeMutableBufferPointer<Float>, _ outputs: Int,
        _ frames: Int, _ ramp: Int
    ) -> Int {
        let end = phaseGoal
        let fadeStep = 1 / Float(settings.isMuted ? ramp : fade ?? ramp)
        var frame = 0
        while frame < frames, left > 0 || phase != end {
            if left > 0 {
                left -= 1
                factors = left == 0 ? goal : factors + slope
            }
            if phase != end {
                let next = phase + (end > phase ? fadeStep : -fadeStep)
                phase = end > phase ? min(next, 1) : max(next, 0)
            }
            let loudness = sinf(phase * .pi / 2)
            for channel in 0..<outputs {
                let sum = unsafe mixed(samples, frame, channel, outputs)
                unsafe output[frame * outputs + channel] += sum * (factors[channel] * loudness)
            }
            frame += 1
        }
        return frame
    }

    /// The input's contribution to an output channel in one frame, before gain and fade.
    private func mixed(_ samples: UnsafeBufferPointer<Float>, _ frame: Int, _ channel: Int, _ outputs: Int) -> Float {
        let inputs = channels
        guard inputs > outputs else { return unsafe samples[frame * inputs + channel % inputs] }
        var (sum, count) = (Float(0), Float(0))
        var source = channel
        while source < inputs {
            unsafe sum += samples[frame * inputs + source]
            count += 1
            source += outputs
        }
        return sum / count
    }

    private func addSteady(
        _ samples: UnsafeBufferPointer<Float>, _ output: UnsafeMutableBufferPointer<Float>, _ outputs: Int,
        _ frames: Range<Int>
    ) {
        let inputs = channels
        let isEven = (1..<outputs).allSatisfy { factors[$0] == factors[0] }
        if inputs == outputs, isEven {
            let factor = factors[0]
            for index in frames.lowerBound * outputs..<frames.upperBound * outputs {
                unsafe output[index] += samples[index] * factor
            }
            return
        }
        for channel in 0..<outputs {
            let sources = inputs > outputs ? (inputs - channel + outputs - 1) / outputs : 1
            for source in 0..<sources {
                let place = inputs > outputs ? channel + source * outputs : channel % inputs
                let factor = factors[channel] / Float(sources)
                for frame in frames {
                    unsafe output[frame * outputs + channel] += samples[frame * inputs + place] * factor
                }
            }
        }
    }
}
