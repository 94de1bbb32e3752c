#if Media
import PipConcurrency
import PipFrames
import PipSound

@testable import PipMedia

/// A microphone driven by a clock, which may be virtual; the microphone hears a beep at each whole second of the clock.
struct FakeMicrophone: AudioSource {
    let label = "microphone"
    var clock: MonotonicClock
    /// The microphone's sample rate in hertz, measured with `clock`; by the microphone's own clock, the rate is 48,000.
    var rate = 48_000.0
    var format = AudioFormat.mono
    /// The period for which the microphone is unplugged, counted from the creation of its opening; nil for none.
    var absence: Range<Duration>?

    var opening: AudioOpening {
        let (microphone, start) = (self, clock.now)
        return AudioOpening(isLive: true) { context in
            LiveSound(context) { () throws(MediaError) in try FakeCapture(microphone, start) }
        }
    }
}

/// A capture from the microphone, from opening to unplugging.
private final class FakeCapture: SoundCapture {
    private let microphone: FakeMicrophone
    /// The time at which the opening was created, from which `absence` counts.
    private let start: Timestamp
    private let opened: Timestamp
    private let frame = Monitor(0)
    private let waiting: Monitor<Bool>

    init(_ microphone: FakeMicrophone, _ start: Timestamp) throws(MediaError) {
        self.microphone = microphone
        self.start = start
        opened = microphone.clock.now
        waiting = Monitor(false, clock: microphone.clock)
        if isAway { throw MediaError(kind: .missing, reason: "no microphone has this name") }
    }

    private var isAway: Bool { microphone.absence?.contains(start.duration(to: microphone.clock.now)) ?? false }

    private func time(ofFrame frame: Int) -> Timestamp {
        opened.advanced(by: .seconds(Double(frame) / microphone.rate))
    }

    func next(within timeout: Duration) throws(MediaError) -> AudioBlock? {
        let first = frame.read { $0 }
        // A block is complete once the microphone has captured its last sample.
        _ = waiting.wait(until: time(ofFrame: first + 480)) { _ -> Bool? in nil }
        if isAway { throw MediaError(kind: .failed, reason: "it was unplugged") }
        frame.update { $0 += 480 }
        let samples = (first..<first + 480).flatMap { frame in
            let fraction = Double(time(ofFrame: frame).nanoseconds % 1_000_000_000) / 1e9
            let sample = fraction < 0.1 ? Float.sine(1000 * fraction) * 0.5 : 0
            return Array(repeating: sample, count: microphone.format.channels)
        }
        return AudioBlock(microphone.format, samples: samples, timestamp: time(ofFrame: first))
    }

    func stop() {}
}

extension Float {
    /// A triangle wave that stands in for a sine; `turns` is the phase in cycles.
    fileprivate static func sine(_ turns: Double) -> Float {
        Float(1 - 4 * abs((turns - turns.rounded(.down)) - 0.5)) * -1
    }
}
#endif
