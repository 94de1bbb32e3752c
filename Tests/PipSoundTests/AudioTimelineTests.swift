import Foundation
import PipFrames
import Testing

@testable import PipSound

@Suite("Timelines of microphones")
struct AudioTimelineTests {
    private func tone(_ time: Double) -> Double { 0.5 * sin(2 * .pi * 1000 * time) }

    /// The delay of the output in seconds for each tenth of a second after `start`, measured by the tone's phase.
    private func delays(_ samples: [Float], hertz: Double, rate: Int, from start: Double) -> [Double] {
        let part = rate / 10
        return stride(from: Int(start * Double(rate)) / part * part, to: samples.count - part, by: part).map { first in
            // Each part begins after a whole number of periods, so the fitted phase is relative to the expected tone.
            -Array(samples[first..<first + part]).sineFit(hertz, rate: Double(rate)).phase / hertz
        }
    }

    @Test("ten minutes of 48010 Hz instead of 48000 stay within 0.5 ms, with 5 ms of jitter")
    func tenMinutes() throws {
        // The test runs at a sixth of the rate, because the ratio of the clocks matters, not the number of samples.
        let format = try AudioFormat(rate: 8000, channels: 1)
        let microphone = SimulatedMicrophone(format, speed: 48_010 / 48_000, jitter: 0.005)
        var rig = try TimelineRig(microphone, rate: 8000)
        // The tone's period of 20 ms shows delays of up to 10 ms.
        let samples = rig.record(until: 600) { 0.5 * sin(2 * .pi * 50 * $0) }
        let delays = delays(samples, hertz: 50, rate: 8000, from: 30)
        #expect(delays.count > 5600)
        #expect((delays.map(abs).max() ?? 1) < 0.0005)
        #expect(rig.timeline.statistics.jumps == 0)
        #expect(rig.timeline.statistics.starvations == 0)
        #expect(abs(rig.timeline.drift - 208.3e-6) < 10e-6)
    }

    @Test("a clock that is 200 ppm off is within a millisecond after ten seconds", arguments: [0.9998, 1.0002])
    func settles(speed: Double) throws {
        var rig = try TimelineRig(SimulatedMicrophone(.mono, speed: speed, jitter: 0.002))
        let samples = rig.record(until: 16) { 0.5 * sin(2 * .pi * 100 * $0) }
        let delays = delays(samples, hertz: 100, rate: 48_000, from: 10)
        #expect((delays.map(abs).max() ?? 1) < 0.001)
    }

    @Test(
        "a tone through the timeline is clean, with any drift and jitter", arguments: [0.9995, 1, 1.0005], [0, 0.002])
    func clean(speed: Double, jitter: Double) throws {
        var rig = try TimelineRig(SimulatedMicrophone(.mono, speed: speed, jitter: jitter))
        let samples = rig.record(until: 16, tone)
        let last = Array(samples.suffix(4800))
        #expect(last.noise(near: 1000) < -80)
        // A tenth of a period of 1 kHz is a tenth of a millisecond.
        #expect(abs(last.sineFit(1000).phase) < (jitter == 0 ? 0.1 : 0.3))
    }

    @Test("each channel keeps its own sound")
    func channels() throws {
        var rig = try TimelineRig(SimulatedMicrophone(.stereo))
        rig.timeline.write([Float](repeating: 0, count: 0).span, at: .zero)
        var right: [Float] = []
        rig.run(until: 1, tone) { _, block in
            right += block.channel(1)
            #expect(block.channel(0) == block.channel(1))
        }
        #expect(abs(Array(right.suffix(4800)).sineFit(1000).amplitude - 0.5) < 0.002)
    }

    @Test("a microphone with 16 kHz is resampled to 48 kHz")
    func otherRate() throws {
        var rig = try TimelineRig(SimulatedMicrophone(try AudioFormat(rate: 16_000, channels: 1), speed: 1.0001))
        let fit = Array(rig.record(until: 10, tone).suffix(4800)).sineFit(1000)
        #expect(abs(fit.amplitude - 0.5) < 0.002)
        #expect(abs(fit.phase) < 0.1)
    }

    @Test("before the first sound there is silence of exactly that length")
    func start() throws {
        var rig = try TimelineRig(SimulatedMicrophone(.mono, from: 0.25))
        let samples = rig.record(until: 0.6) { _ in 0.5 }
        #expect(samples[..<12_000].allSatisfy { $0 == 0 })
        #expect(samples[12_000...12_002].contains { $0 != 0 })
        #expect(abs(samples[12_400] - 0.5) < 1e-4)
    }

    @Test("a microphone that vanishes for 3 s is silent for 3 s, returns at the right time, and does not click")
    func vanishes() throws {
        var rig = try TimelineRig(SimulatedMicrophone(.mono))
        var samples = rig.record(until: 2, tone)
        let end = rig.microphone.now
        samples += rig.record(until: end + 3, recording: false, tone)
        rig.microphone.now = end + 3
        samples += rig.record(until: end + 5, tone)
        let (first, last) = (Int((end * 48_000).rounded()), Int(((end + 3) * 48_000).rounded()))
        #expect(samples[(first - 2000)..<(first - 400)].contains { abs($0) > 0.49 })
        // The resampling kernel fades the sound out in the last samples before its end.
        #expect(samples[(first - 30)..<last].allSatisfy { abs($0) < 0.05 })
        #expect(samples[first..<last].allSatisfy { $0 == 0 })
        #expect(samples[(last + 1)...(last + 40)].contains { $0 != 0 })
        let fit = Array(samples[(last + 960)..<(last + 960 + 9600)]).sineFit(1000)
        #expect(abs(fit.phase) < 0.01 && abs(fit.amplitude - 0.5) < 0.002)
        let steady = Array(samples[20_000..<30_000]).largestSecondDifference
        #expect(samples.largestSecondDifference < 1.5 * steady)
        #expect(rig.timeline.statistics.jumps == 1 && rig.timeline.statistics.starvations == 1)
    }

    @Test("sound that a late reader finds no longer kept is silence, and no starvation", arguments: [false, true])
    func lateReader(hasEnded: Bool) throws {
        var microphone = SimulatedMicrophone(.mono)
        var timeline = try AudioTimeline(.mono, clock: SampleClock(start: .zero, rate: 48_000))
        var block = AudioBlock(timeline.output, frames: 48_000)
        for _ in 0..<150 { timeline.write(microphone.block { _ in 0.5 }) }
        timeline.read(from: 0, into: &block)
        for _ in 0..<500 { timeline.write(microphone.block { _ in 0.5 }) }
        if hasEnded { timeline.endRun() }
        timeline.read(from: 48_000, into: &block)
        #expect(block.samples.allSatisfy { $0 == 0 })
        #expect(timeline.statistics.starvations == 0)
        // The sound that is still kept is heard at its time.
        for second in 2..<6 { timeline.read(from: second * 48_000, into: &block) }
        #expect(abs(block.samples[24_000] - 0.5) < 1e-3)
    }

    @Test("lost samples become silence of their length, if they are as long as a jump", arguments: [0.06, 0.5])
    func xrun(gap: Double) throws {
        var rig = try TimelineRig(SimulatedMicrophone(.mono))
        var samples = rig.record(until: 2, tone)
        let end = rig.microphone.now
        rig.microphone.now += gap
        samples += rig.record(until: 4, tone)
        let (first, last) = (Int((end * 48_000).rounded()), Int(((end + gap) * 48_000).rounded()))
        #expect(samples[first..<last].allSatisfy { $0 == 0 })
        #expect(samples[(first - 480)..<(first - 1)].contains { abs($0) > 0.3 })
        #expect(abs(Array(samples[(last + 480)..<(last + 9600)]).sineFit(1000).phase) < 0.01)
        #expect(samples.largestSecondDifference < 1.5 * Array(samples[20_000..<30_000]).largestSecondDifference)
        #expect(rig.timeline.statistics.jumps == 1)
    }

    @Test("a gap shorter than a jump is made up for without silence")
    func shortGap() throws {
        var rig = try TimelineRig(SimulatedMicrophone(.mono))
        var samples = rig.record(until: 2) { 0.5 * sin(2 * .pi * 20 * $0) }
        let silent = rig.timeline.statistics.silentFrames
        rig.microphone.now += 0.004
        samples += rig.record(until: 40) { 0.5 * sin(2 * .pi * 20 * $0) }
        #expect(rig.timeline.statistics.jumps == 0)
        #expect(rig.timeline.statistics.silentFrames == silent)
        #expect(abs(delays(samples, hertz: 20, rate: 48_000, from: 39)[0]) < 0.002)
    }

    @Test("repeated sound is cut, and the following sound has its right time")
    func overlap() throws {
        var rig = try TimelineRig(SimulatedMicrophone(.mono))
        var samples = rig.record(until: 2, tone)
        rig.microphone.now -= 0.08
        samples += rig.record(until: 4, tone)
        #expect(rig.timeline.statistics.jumps == 1)
        #expect(abs(Array(samples.suffix(9600)).sineFit(1000).phase) < 0.01)
        #expect(samples.largestSecondDifference < 1.5 * Array(samples[20_000..<30_000]).largestSecondDifference)
    }

    @Test("the time for which a machine slept is silent")
    func suspend() throws {
        var rig = try TimelineRig(SimulatedMicrophone(.mono))
        _ = rig.record(until: 1, tone)
        rig.timeline.endRun()
        rig.microphone.now += 3600
        var block = AudioBlock(.mono, frames: 480)
        let frame = 3_600 * 48_000 + 48_000
        for _ in 0..<50 { rig.timeline.write(rig.microphone.block(tone)) }
        rig.timeline.read(from: frame, into: &block)
        #expect(block.timestamp == Timestamp(nanoseconds: 3601 * 1_000_000_000))
        #expect(block.channel(0).contains { $0 != 0 })
    }

    @Test("a reader that falls behind the kept sound continues with the oldest kept sound")
    func overwritten() throws {
        var rig = try TimelineRig(SimulatedMicrophone(.mono))
        for _ in 0..<1000 { rig.timeline.write(rig.microphone.block(tone)) }
        let samples = rig.record(until: 9.9, recording: false, tone)
        let heard = try #require(samples.firstIndex { $0 != 0 })
        #expect(heard > 5 * 48_000 && heard < Int(8.1 * 48_000))
        #expect(abs(Array(samples[403_200..<412_800]).sineFit(1000).phase) < 0.01)
    }

    @Test("samples that are NaN or infinite become silence")
    func notNumbers() throws {
        var timeline = try AudioTimeline(.mono, clock: SampleClock(start: .zero))
        timeline.write([Float](repeating: .nan, count: 4800).span, at: .zero)
        timeline.write([Float](repeating: .infinity, count: 4800).span, at: Timestamp(nanoseconds: 100_000_000))
        var block = AudioBlock(.mono, frames: 4800)
        timeline.read(from: 0, into: &block)
        #expect(block.samples.allSatisfy { $0 == 0 })
    }

    @Test("blocks of any size with any timestamp are handled")
    func hostile() throws {
        var timeline = try AudioTimeline(.stereo, clock: SampleClock(start: .zero))
        var block = AudioBlock(.stereo, frames: 100)
        let stamps: [Int64] = [0, -1, 1 << 60, -(1 << 60), 5, 6, 7, 1 << 40, 0]
        for (index, stamp) in stamps.enumerated() {
            let count = [1, 2, 3, 999_999, 400_000, 0, 5000, 7, 2][index]
            timeline.write([Float](repeating: 0.5, count: count).span, at: Timestamp(nanoseconds: stamp))
            timeline.read(from: index * 100, into: &block)
            #expect(block.samples.allSatisfy { abs($0) <= 1 })
        }
    }
}
