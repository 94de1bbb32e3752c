import Foundation
import PipFrames
import PipTestSupport
import Testing

@testable import PipSound

@Suite("High-pass and limiter")
struct DynamicsTests {
    @Test(
        "a high-pass attenuates like a second-order Butterworth filter",
        arguments: [(20.0, -24.1), (40, -12.3), (80, -3.01), (160, -0.26), (1000, 0)])
    func highPass(hertz: Double, decibels: Float) {
        var filter = HighPass(.mono, frequency: 80)
        var block = AudioFormat.mono.block(sine(hertz, count: 96_000))
        filter.process(&block)
        let fit = Array(block.samples.suffix(48_000)).sineFit(hertz)
        #expect(abs(Decibels(amplitude: Float(fit.amplitude / 0.5)).value - decibels) < 0.1)
    }

    @Test("a high-pass removes a constant, and recovers from NaN")
    func constants() {
        var filter = HighPass(.stereo, frequency: 80)
        var bad = AudioBlock(.stereo, samples: [.nan, .infinity, .nan, 1])
        filter.process(&bad)
        var block = AudioFormat.stereo.block(Array(repeating: 0.5, count: 48_000))
        filter.process(&block)
        #expect(block.samples.suffix(1000).allSatisfy { abs($0) < 1e-6 })
    }

    @Test("a high-pass gives the same result for several blocks as for one long block")
    func blocks() {
        let samples = sine(300, count: 1000)
        var (whole, parts) = (HighPass(.mono, frequency: 120), HighPass(.mono, frequency: 120))
        var long = AudioFormat.mono.block(samples)
        whole.process(&long)
        var joined: [Float] = []
        for start in stride(from: 0, to: 1000, by: 125) {
            var block = AudioFormat.mono.block(Array(samples[start..<start + 125]))
            parts.process(&block)
            joined += block.samples
        }
        #expect(joined == long.samples)
    }

    @Test("no sample exceeds the limiter's ceiling, for any input", arguments: 0..<40)
    func ceiling(seed: Int) throws {
        var dice = Dice(seed)
        let format = try AudioFormat(channels: Int.random(in: 1...3, using: &dice))
        let ceiling = Decibels(Float.random(in: -20...0, using: &dice))
        var limiter = Limiter(
            format, ceiling: ceiling, lookAhead: .microseconds(Int.random(in: 1...8000, using: &dice)),
            release: .milliseconds(Int.random(in: 0...300, using: &dice)))
        let limit = ceiling.amplitude
        for _ in 0..<20 {
            let loudness = powf(10, Float.random(in: -2...6, using: &dice))
            let isSparse = Bool.random(using: &dice)
            let samples = (0..<Int.random(in: 1...500, using: &dice) * format.channels).map { _ -> Float in
                if isSparse, Int.random(in: 0..<50, using: &dice) > 0 { return 0 }
                return Int.random(in: 0..<1000, using: &dice) == 0 ? .nan : .random(in: -1...1, using: &dice) * loudness
            }
            var block = AudioBlock(format, samples: samples)
            limiter.process(&block)
            #expect(block.samples.allSatisfy { abs($0) <= limit })
        }
    }

    @Test("a limiter attenuates instead of clipping: the channels keep their proportion", arguments: 0..<10)
    func proportion(seed: Int) {
        var dice = Dice(seed)
        var limiter = Limiter(.stereo, ceiling: -6, lookAhead: .microseconds(Int.random(in: 100...5000, using: &dice)))
        var block = AudioBlock(.stereo, frames: 4000)
        for frame in 0..<4000 where Int.random(in: 0..<100, using: &dice) == 0 {
            block[frame, 0] = .random(in: -8...8, using: &dice)
            block[frame, 1] = block[frame, 0] / 2
        }
        limiter.process(&block)
        #expect(block.samples.peak > 0.4)
        #expect((0..<4000).allSatisfy { abs(block[$0, 1] - block[$0, 0] / 2) < 1e-5 })
    }

    @Test("samples below the ceiling are only delayed, and the timestamp is adjusted")
    func delay() {
        var limiter = Limiter(.mono, ceiling: -1, lookAhead: .milliseconds(5))
        let samples = sine(440, count: 4800)
        var block = AudioFormat.mono.block(samples, at: Timestamp(nanoseconds: 1_000_000_000))
        limiter.process(&block)
        #expect(block.samples[..<240].allSatisfy { $0 == 0 })
        #expect(Array(block.samples[240...]) == Array(samples[..<4560]))
        #expect(block.timestamp == Timestamp(nanoseconds: 995_000_000))
        #expect(limiter.latency == .milliseconds(5))
    }

    @Test("the limiter's gain falls before a peak without a step, and recovers after it")
    func gain() {
        var limiter = Limiter(.mono, ceiling: -6.0206, lookAhead: .milliseconds(5), release: .milliseconds(50))
        // A louder constant interrupts the first constant, so that the output shows the gain.
        var samples = [Float](repeating: 0.25, count: 48_000)
        for index in 10_000..<10_100 { samples[index] = 2 }
        var block = AudioFormat.mono.block(samples)
        limiter.process(&block)
        let output = Array(block.samples[240...])
        let falling = Array(output[9_000..<10_000])
        #expect(abs(falling[0] - 0.25) < 1e-5 && falling[999] < 0.07)
        #expect(zip(falling, falling.dropFirst()).allSatisfy { abs($0 - $1) < 0.002 })
        #expect(output[10_000..<10_100].allSatisfy { abs($0 - 0.5) < 0.001 })
        let rising = Array(output[10_100..<47_000])
        #expect(zip(rising, rising.dropFirst()).allSatisfy { abs($0 - $1) < 0.002 })
        #expect(abs(rising[30_000] - 0.25) < 1e-4)
    }
}
