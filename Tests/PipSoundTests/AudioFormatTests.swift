import PipFrames
import Testing

@testable import PipSound

@Suite("Formats, levels and clocks of sound")
struct AudioFormatTests {
    @Test("rates and channels out of range are refused with the range")
    func refusals() {
        let rate = #expect(throws: SoundError.self) { try AudioFormat(rate: 4000, channels: 2) }
        #expect(
            rate?.description
                == "4000 Hz: cannot use this sample rate: the sample rate must be from 8000 to 192000 Hz")
        let channels = #expect(throws: SoundError.self) { try AudioFormat(channels: 9) }
        #expect(
            channels?.description
                == "9 channels: cannot use this number: the number of channels must be from 1 to 8")
    }

    @Test("a format's text is readable")
    func text() throws {
        #expect(AudioFormat.stereo.description == "48000 Hz stereo")
        #expect(try AudioFormat(rate: 16_000, channels: 4).description == "16000 Hz, 4 channels")
    }

    @Test(
        "decibels are those of amplitudes",
        arguments: [(0, 1), (-6.0206, 0.5), (-20, 0.1), (20, 10)] as [(Float, Float)])
    func decibels(_ value: Float, _ amplitude: Float) {
        #expect(abs(Decibels(value).amplitude - amplitude) < 1e-4 * amplitude)
        #expect(abs(Decibels(amplitude: amplitude).value - value) < 1e-3)
    }

    @Test("silence has no amplitude, and its text says so")
    func silence() {
        #expect(Decibels(amplitude: 0) == .silence)
        #expect(Decibels.silence.amplitude == 0)
        #expect(Decibels.silence.description == "silence")
        #expect(Decibels(-23.04).description == "-23.0 dB")
        #expect(Decibels(-0.04).description == "0.0 dB")
    }

    @Test("a clock's frames have exact timestamps, also after a year", arguments: [44_100, 48_000])
    func clock(rate: Int) {
        let clock = SampleClock(start: Timestamp(nanoseconds: 5), rate: rate)
        #expect(clock.time(ofFrame: rate * 31_536_000).nanoseconds == 31_536_000_000_000_005)
        for frame in [0, 1, 7, rate - 1, rate, rate * 1_000_000 + 11, -3] {
            #expect(clock.frame(at: clock.time(ofFrame: frame)) == frame)
        }
        #expect(clock.frame(at: Timestamp(nanoseconds: 6)) == 1)
    }
}
