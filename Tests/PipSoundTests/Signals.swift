import Foundation
import PipFrames
import PipTestSupport

@testable import PipSound

/// A sine with a frequency and an amplitude; `start` is the time of the first sample.
func sine(
    _ hertz: Double, amplitude: Double = 0.5, rate: Double = 48_000, from start: Double = 0, count: Int
) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * .pi * hertz * (start + Double($0) / rate))) }
}

extension AudioFormat {
    /// A block with the same samples on every channel.
    func block(_ channel: [Float], at timestamp: Timestamp = .zero) -> AudioBlock {
        AudioBlock(self, samples: channel.flatMap { Array(repeating: $0, count: channels) }, timestamp: timestamp)
    }
}

extension [Float] {
    /// The largest magnitude of the second difference, which reveals clicks.
    var largestSecondDifference: Float {
        indices.dropFirst(2).map { abs(self[$0] - 2 * self[$0 - 1] + self[$0 - 2]) }.max() ?? 0
    }

    /// The largest magnitude of a sample.
    var peak: Float { map(abs).max() ?? 0 }

    /// The least-squares fit of a sine: its amplitude, its phase in cycles, and the relative noise.
    ///
    /// The noise is the RMS of the residual divided by the RMS of the fitted sine.
    func sineFit(_ hertz: Double, rate: Double = 48_000) -> (amplitude: Double, phase: Double, noise: Double) {
        var (cc, ss, cs, xc, xs) = (0.0, 0.0, 0.0, 0.0, 0.0)
        let waves = indices.map { index in
            let angle = 2 * Double.pi * hertz * Double(index) / rate
            return (cos(angle), sin(angle))
        }
        for (sample, (c, s)) in zip(self, waves) {
            cc += c * c
            ss += s * s
            cs += c * s
            xc += Double(sample) * c
            xs += Double(sample) * s
        }
        let determinant = cc * ss - cs * cs
        let a = (xc * ss - xs * cs) / determinant
        let b = (xs * cc - xc * cs) / determinant
        var rest = 0.0
        for (sample, (c, s)) in zip(self, waves) {
            let error = Double(sample) - a * c - b * s
            rest += error * error
        }
        let amplitude = (a * a + b * b).squareRoot()
        return (
            amplitude, atan2(a, b) / (2 * .pi), (rest / Double(count)).squareRoot() / (amplitude / 2.0.squareRoot())
        )
    }
}

extension [Float] {
    /// The THD+N of a tone: the RMS of the residual of the best sine, relative to the sine's RMS.
    ///
    /// Half of the samples must be whole periods of the nominal frequency.
    func noise(near hertz: Double) -> Decibels {
        let halves = [self[..<(count / 2)], self[(count / 2)...]].map { Array($0).sineFit(hertz).phase }
        let shift = (halves[1] - halves[0]).remainder(dividingBy: 1)
        let tracked = hertz + shift / (Double(count / 2) / 48_000)
        return Decibels(amplitude: Float(sineFit(tracked).noise))
    }
}

/// A microphone with a drifting clock and jittering timestamps, which records a given function of the true time.
struct SimulatedMicrophone {
    let format: AudioFormat
    /// The true sample rate, relative to the nominal one.
    var speed = 1.0
    /// The largest error of a timestamp, in seconds.
    var jitter = 0.0
    /// The additional error of a timestamp as a function of the true time, both in seconds.
    var error: (Double) -> Double = { _ in 0 }
    var framesPerBlock: Int
    /// The true time of the next sample, in seconds.
    var now: Double
    private var dice = Dice(1)

    init(_ format: AudioFormat, speed: Double = 1, jitter: Double = 0, from start: Double = 0) {
        self.format = format
        self.speed = speed
        self.jitter = jitter
        framesPerBlock = format.rate / 100
        now = start
    }

    private var period: Double { 1 / (Double(format.rate) * speed) }

    /// The next block, with samples of `signal`, a function of the time in seconds.
    mutating func block(_ signal: (Double) -> Double) -> AudioBlock {
        let samples = (0..<framesPerBlock).map { Float(signal(now + Double($0) * period)) }
        let error = error(now) + (jitter == 0 ? 0 : Double.random(in: -jitter...jitter, using: &dice))
        defer { now += Double(framesPerBlock) * period }
        return format.block(samples, at: Timestamp(nanoseconds: Int64(((now + error) * 1e9).rounded())))
    }
}

/// A microphone and a reader of its timeline in virtual time.
///
/// The reader reads 10 ms at a time, ``lag`` seconds after the end of these 10 ms.
struct TimelineRig {
    var timeline: AudioTimeline
    var microphone: SimulatedMicrophone
    var lag = 0.1
    private var frame = 0
    private var block: AudioBlock
    private let clock: SampleClock

    init(_ microphone: SimulatedMicrophone, rate: Int = 48_000, settings: TimelineSettings = TimelineSettings()) throws
    {
        self.microphone = microphone
        clock = SampleClock(start: .zero, rate: rate)
        timeline = try AudioTimeline(microphone.format, clock: clock, settings: settings)
        block = AudioBlock(timeline.output, frames: rate / 100)
    }

    /// The time in seconds up to which sound has been read.
    var readTime: Double { Double(frame) / Double(clock.rate) }

    /// Runs until a time, and passes each block with the index of the block's first frame to `read`.
    ///
    /// The microphone delivers nothing if `recording` is false.
    mutating func run(
        until end: Double, recording: Bool = true, _ signal: (Double) -> Double,
        read: (Int, AudioBlock) -> Void = { _, _ in }
    ) {
        while readTime + lag < end {
            let due = readTime + Double(block.frames) / Double(clock.rate) + lag
            while recording, microphone.now + Double(microphone.framesPerBlock) / Double(microphone.format.rate) <= due
            {
                timeline.write(microphone.block(signal))
            }
            timeline.read(from: frame, into: &block)
            read(frame, block)
            frame += block.frames
        }
    }

    /// Runs until a time, and returns the first channel of the output.
    ///
    /// The microphone delivers nothing if `recording` is false.
    mutating func record(until end: Double, recording: Bool = true, _ signal: (Double) -> Double) -> [Float] {
        var samples: [Float] = []
        run(until: end, recording: recording, signal) { _, block in samples += block.channel(0) }
        return samples
    }
}
