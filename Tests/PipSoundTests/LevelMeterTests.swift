import Testing

@testable import PipSound

@Suite("Meters")
struct LevelMeterTests {
    @Test("a sine of -20 dBFS reads -23.0 dB RMS and -20.0 dB peak", arguments: [100.0, 997, 1000, 7919])
    func sineLevels(hertz: Double) {
        var meter = LevelMeter(.mono)
        meter.process(AudioFormat.mono.block(sine(hertz, amplitude: 0.1, count: 4800)))
        #expect(abs(meter.levels[0].rms.value - -23.01) < 0.1)
        #expect(abs(meter.levels[0].peak.value - -20) < 0.1)
    }

    @Test("each channel has its own level")
    func channels() {
        var meter = LevelMeter(.stereo, window: .milliseconds(10))
        var block = AudioBlock(.stereo, frames: 480)
        for frame in 0..<480 { block[frame, 1] = frame.isMultiple(of: 2) ? 1 : -1 }
        meter.process(block)
        #expect(meter.levels[0] == .silence)
        #expect(meter.levels[1] == AudioLevel(rms: 0, peak: 0))
    }

    @Test("a window is measured as a whole, whatever the blocks' lengths", arguments: [1, 77, 480, 1000])
    func windows(frames: Int) {
        var meter = LevelMeter(.mono, window: .milliseconds(10))
        var left = 960
        while left > 0 {
            let count = min(frames, left)
            // The second window has half the amplitude of the first.
            let samples = (0..<count).map { Float(960 - left + $0 < 480 ? 0.5 : 0.25) }
            meter.process(AudioFormat.mono.block(samples))
            left -= count
        }
        #expect(abs(meter.levels[0].rms.value - -12.04) < 0.01)
        #expect(meter.levels[0].peak == Decibels(amplitude: 0.25))
    }
}
