import Testing

@testable import PipSound

@Suite("Resampling")
struct ResamplerTests {
    /// A sine resampled by the ratio `step`, without the ends that the kernel does not cover.
    private func resampled(_ hertz: Double, step: Double, rate: Double = 48_000, count: Int = 4800) -> [Float] {
        let kernel = SincKernel(step: step)
        let input = sine(hertz, rate: rate, count: Int(Double(count + 1) * step) + 2 * kernel.taps)
        return unsafe input.withUnsafeBufferPointer { samples in
            var output = [Float](repeating: 0, count: count)
            unsafe output.withUnsafeMutableBufferPointer { out in
                guard let from = samples.baseAddress, let to = out.baseAddress else { return }
                unsafe kernel.resample(
                    from + kernel.taps, from: 0.3, step: step,
                    to: SincKernel.Output(start: to, stride: 1, count: count))
            }
            return output
        }
    }

    @Test(
        "a tone stays clean: THD+N below -80 dB", arguments: [-500.0, -37, 0, 208.3, 500],
        [100.0, 1000, 10_000, 18_000])
    func noise(ppm: Double, hertz: Double) {
        let step = 1 + ppm * 1e-6
        let fit = resampled(hertz, step: step).sineFit(hertz * step)
        #expect(Decibels(amplitude: Float(fit.noise)).value < -80)
        #expect(abs(fit.amplitude - 0.5) < 0.002)
    }

    @Test("other rates become 48 kHz without distortion", arguments: [8000.0, 16_000, 44_100, 96_000, 192_000])
    func rates(rate: Double) {
        let fit = resampled(1000, step: rate / 48_000, rate: rate).sineFit(1000)
        #expect(Decibels(amplitude: Float(fit.noise)).value < -80)
        #expect(abs(fit.amplitude - 0.5) < 0.002)
    }

    @Test("frequencies beyond the output's limit are removed")
    func aliases() {
        #expect(resampled(30_000, step: 2, rate: 96_000).peak < 0.5 * 0.0001)
    }
}
