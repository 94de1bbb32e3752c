import Foundation
import PipFrames
import PipTestSupport
import Testing

@testable import PipSound

/// A model of the clock of GStreamer's demuxer for MPEG transport streams.
///
/// The clock takes the arrival of the first clock reference (PCR) for the stream's beginning. Within two seconds, the
/// clock approaches the reference with the least delay.
///
/// Source: GStreamer, `calculate_skew` in `mpegtspacketizer.c`, after Fober, Orlarey and Letz, "Real Time Clock Skew
/// Estimation over Network Delays".
private struct DemuxerClock {
    /// The delay of a reference as a function of its sending time, both in seconds.
    let delay: (Double) -> Double
    private var sent = -DemuxerClock.interval
    private var least = 0.0
    private var skew = 0.0

    /// The interval of references, in seconds.
    private static let interval = 1.0 / 30
    /// The time in seconds after which the clock trusts the least delay entirely.
    private static let window = 2.0

    init(delay: @escaping (Double) -> Double) { self.delay = delay }

    /// The error of a timestamp as a function of its sending time, both in seconds.
    ///
    /// Times must not decrease between calls.
    mutating func error(at moment: Double) -> Double {
        while sent + Self.interval <= moment {
            sent += Self.interval
            least = min(least, delay(sent) - delay(0))
            let filled = sent / Self.window
            skew += (filled < 1 ? filled * filled : 1) * (least - skew)
        }
        return delay(0) + skew
    }
}

@Suite("Sound with temporarily wrong timestamps")
struct UnsteadyTimestampTests {
    /// A sixth of the usual sample rate, because timing matters here and not the number of samples.
    ///
    /// Blocks are as long as those of AAC.
    private static let (rate, framesPerBlock) = (8000, 171)
    /// The longest sound in seconds.
    ///
    /// Each sample's value is its time divided by this length.
    private static let length = 64.0

    /// The delay of the output in one tenth of a second.
    private struct Delay: CustomStringConvertible {
        let time: Double
        let seconds: Double
        var description: String { "\(time) s: \((seconds * 1000).rounded()) ms" }
    }

    /// Records sound with wrong timestamps, and reads it.
    ///
    /// - Parameters:
    ///   - end: The end of the recording, in seconds.
    ///   - heap: The time in seconds until which nothing arrives; then all recorded blocks arrive at once.
    ///   - jitter: The largest random error of a timestamp, in seconds.
    ///   - speed: The true sample rate, relative to the nominal one.
    ///   - error: The additional error of a timestamp as a function of the true time, both in seconds.
    /// - Returns: The delay of each tenth of a second with sound, and the timeline's counts.
    /// - Throws: ``SoundError`` when the rate is out of range.
    private func delays(
        until end: Double, heap: Double = 0, jitter: Double = 0.002, speed: Double = 1,
        _ error: @escaping (Double) -> Double
    ) throws -> (delays: [Delay], statistics: TimelineStatistics) {
        var microphone = SimulatedMicrophone(
            try AudioFormat(rate: Self.rate, channels: 1), speed: speed, jitter: jitter)
        microphone.framesPerBlock = Self.framesPerBlock
        microphone.error = error
        var rig = try TimelineRig(microphone, rate: Self.rate)
        let moment = { $0 / Self.length }
        let samples = rig.record(until: heap, recording: false, moment) + rig.record(until: end, moment)
        let part = Self.rate / 10
        let delays = stride(from: 0, to: samples.count - part, by: part).compactMap { first -> Delay? in
            let heard = (first..<first + part).filter { samples[$0] != 0 }
                .map { Double($0) / Double(Self.rate) - Self.length * Double(samples[$0]) }.sorted()
            guard heard.count > part / 2 else { return nil }
            return Delay(time: Double(first) / Double(Self.rate), seconds: heard[heard.count / 2])
        }
        return (delays, rig.timeline.statistics)
    }

    /// Expects delays within `bound` of `expected` after `start`, and sound in nearly all tenths of a second; all in
    /// seconds.
    private func expect(
        _ delays: [Delay], within bound: Double, from start: Double, around expected: Double = 0,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let late = delays.filter { $0.time >= start }
        let wrong = late.filter { abs($0.seconds - expected) > bound }
        #expect(wrong.isEmpty, "\(wrong)", sourceLocation: location)
        let tenths = ((late.last?.time ?? 0) - start) * 10
        #expect(Double(late.count) > tenths - 2, sourceLocation: location)
    }

    @Test(
        "a stream whose first packets arrive at once is in time with its pictures after two seconds",
        arguments: [0.03, 0.06, 0.1, 0.14, 0.2, 0.35, 0.5, 0.8], [0.9998, 1.0002])
    func heap(delay: Double, speed: Double) throws {
        var clock = DemuxerClock { max(0, delay - $0) }
        let (delays, _) = try delays(until: 9, heap: delay, speed: speed) { clock.error(at: $0) }
        expect(delays, within: 0.03, from: 2)
        expect(delays, within: 0.012, from: 5)
    }

    @Test(
        "sound whose first timestamps are late or early is in time half a second after the first right ones",
        arguments: [-0.045, -0.03, 0.03, 0.045], [0.3, 1, 1.5])
    func level(error: Double, end: Double) throws {
        let (delays, statistics) = try delays(until: 9, heap: end) { $0 < end ? error : 0 }
        expect(delays, within: 0.03, from: end + 0.5)
        expect(delays, within: 0.012, from: 5)
        #expect(statistics.starvations == 0)
    }

    @Test("random delays of the first timestamps lead to no lasting delay", arguments: [0.048, 0.09], [0.5, 1.5])
    func noise(largest: Double, end: Double) throws {
        var dice = Dice(9)
        let (delays, _) = try delays(until: 9) { $0 < end ? Double.random(in: 0...largest, using: &dice) : 0 }
        expect(delays, within: 0.03, from: 2)
        expect(delays, within: 0.015, from: 5)
    }

    @Test(
        "a step of timestamps that is smaller than a jump is followed within a second",
        arguments: [-0.045, -0.03, 0.03, 0.045]
    )
    func step(size: Double) throws {
        let (delays, statistics) = try delays(until: 9) { $0 < 5 ? 0 : size }
        expect(delays.filter { $0.time < 5 }, within: 0.002, from: 1)
        expect(delays, within: 0.01, from: 6, around: size)
        #expect(statistics.jumps == 1 && statistics.starvations == 0)
    }

    @Test("jitter of 40 ms does not count as a step")
    func jitter() throws {
        let (delays, statistics) = try delays(until: 30, jitter: 0.04) { _ in 0 }
        expect(delays, within: 0.012, from: 1)
        expect(delays, within: 0.005, from: 10)
        #expect(statistics.jumps <= 1)
    }

    @Test("late timestamps for a tenth of a second do not count as a step")
    func burst() throws {
        let (delays, statistics) = try delays(until: 9) { $0 > 5 && $0 < 5.1 ? 0.04 : 0 }
        expect(delays, within: 0.002, from: 1)
        #expect(statistics.jumps == 0)
    }

    @Test("a step of timestamps does not click")
    func click() throws {
        let tone = { 0.5 * sin(2 * .pi * 1000 * $0) }
        var microphone = SimulatedMicrophone(.mono)
        microphone.error = { $0 < 2 ? 0.03 : 0 }
        var rig = try TimelineRig(microphone)
        let samples = rig.record(until: 4, tone)
        #expect(samples.largestSecondDifference < 1.5 * Array(samples[20_000..<30_000]).largestSecondDifference)
        #expect(rig.timeline.statistics.jumps == 1)
        #expect(abs(Array(samples.suffix(9600)).sineFit(1000).amplitude - 0.5) < 0.002)
    }
}
