internal import Glibc

/// A second-order Butterworth high-pass filter, which attenuates low sound such as the rumble of an engine.
///
/// Source: Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients", HPF with Q = 1/√2.
package struct HighPass: Sendable {
    /// The cutoff frequency, at which the filter attenuates by 3 dB.
    ///
    /// Units: hertz. The filter itself uses the nearest frequency from 1 Hz to 0.45 of the sample rate; a value that is
    /// not finite becomes 1 Hz.
    package var frequency: Double {
        didSet { coefficients = Self.coefficients(frequency, rate: format.rate) }
    }
    private let format: AudioFormat
    private var coefficients: Coefficients
    private var state: [State]

    private struct Coefficients: Sendable {
        var b0 = 1.0
        var b1 = 0.0
        var a1 = 0.0
        var a2 = 0.0
    }

    /// The filter's memory of one channel, in transposed direct form II.
    private struct State: Sendable {
        var first = 0.0
        var second = 0.0

        /// This state, or zero when this state is negligible or not finite.
        var cleaned: State { abs(first) + abs(second) > 1e-15 && (first + second).isFinite ? self : State() }
    }

    /// - Parameters:
    ///   - format: The format of the sound.
    ///   - frequency: The cutoff frequency, in hertz.
    package init(_ format: AudioFormat, frequency: Double) {
        self.format = format
        self.frequency = frequency
        coefficients = Self.coefficients(frequency, rate: format.rate)
        state = Array(repeating: State(), count: format.channels)
    }

    private static func coefficients(_ frequency: Double, rate: Int) -> Coefficients {
        let hertz = frequency.isFinite ? min(max(frequency, 1), 0.45 * Double(rate)) : 1
        let angle = 2 * Double.pi * hertz / Double(rate)
        let alpha = sin(angle) / 2.0.squareRoot()
        let scale = 1 / (1 + alpha)
        let edge = (1 + cos(angle)) / 2
        return Coefficients(
            b0: edge * scale, b1: -2 * edge * scale, a1: -2 * cos(angle) * scale, a2: (1 - alpha) * scale)
    }

    /// Filters a block in place.
    package mutating func process(_ block: inout AudioBlock) {
        let (c, stride) = (coefficients, format.channels)
        for channel in state.indices {
            var memory = state[channel]
            unsafe block.withSamples { samples in
                var index = channel
                while index < samples.count {
                    let x = unsafe Double(samples[index])
                    let y = c.b0 * x + memory.first
                    memory.first = c.b1 * x - c.a1 * y + memory.second
                    memory.second = c.b0 * x - c.a2 * y
                    unsafe samples[index] = Float(y)
                    index += stride
                }
            }
            state[channel] = memory.cleaned
        }
    }
}
