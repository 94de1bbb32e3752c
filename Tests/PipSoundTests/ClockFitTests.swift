import PipFrames
import PipTestSupport
import Testing

@testable import PipSound

@Suite("Estimates of device clocks")
struct ClockFitTests {
    private let clock = SampleClock(start: .zero)

    /// Feeds blocks of 10 ms to a clock fit.
    ///
    /// Returns the largest error of the newest sample's time after `settled` seconds, and the drift; the error is in
    /// seconds.
    private func error(
        ppm: Double, jitter: Double, seconds: Double, after settled: Double, lateEvery late: Int = 0
    ) -> (error: Double, drift: Double) {
        var fit = ClockFit(rate: 48_000, first: 0, start: .zero)
        var dice = Dice(3)
        let period = 1 / (48_000 * (1 + ppm * 1e-6))
        var greatest = 0.0
        for block in 0..<Int(seconds * 100) {
            let time = Double(block * 480) * period
            var noise = jitter == 0 ? 0 : Double.random(in: -jitter...jitter, using: &dice)
            if late > 0, block % late == late - 1 { noise = 0.04 }
            let stamp = Timestamp(nanoseconds: Int64((time + noise) * 1e9))
            fit.add(sample: block * 480, timestamp: stamp, count: 480)
            if time > settled {
                greatest = max(greatest, abs(fit.seconds(ofSample: block * 480, of: clock) - time))
            }
        }
        return (greatest, fit.drift)
    }

    @Test("ten minutes of 48010 Hz with 5 ms of jitter are followed within 0.2 ms")
    func tenMinutes() {
        let (error, drift) = error(ppm: 208.3, jitter: 0.005, seconds: 600, after: 30)
        #expect(error < 0.0003)
        #expect(abs(drift + 208.3e-6) < 10e-6)
    }

    @Test("200 ppm are within a millisecond after five seconds", arguments: [-200.0, 200])
    func settles(ppm: Double) {
        #expect(error(ppm: ppm, jitter: 0.002, seconds: 60, after: 5).error < 0.001)
    }

    @Test("without jitter the clock is exact from the first seconds on")
    func exact() {
        let (error, drift) = error(ppm: 100, jitter: 0, seconds: 20, after: 10)
        #expect(error < 0.00005)
        #expect(abs(drift + 100e-6) < 5e-6)
    }

    @Test("timestamps that are sometimes 40 ms late count as 10 ms late")
    func outliers() {
        #expect(error(ppm: 100, jitter: 0.001, seconds: 120, after: 30, lateEvery: 50).error < 0.0005)
    }

    @Test("the time of a sample and the sample at a time are inverse functions")
    func inverse() {
        var fit = ClockFit(rate: 16_000, first: 100, start: Timestamp(nanoseconds: 3_000_000_000))
        for block in 0..<200 {
            let stamp = Timestamp(nanoseconds: 3_000_000_000 + Int64(block) * 10_003_000)
            fit.add(sample: 100 + block * 160, timestamp: stamp, count: 160)
        }
        for sample in [100, 5000, 32_000, 100_000] {
            let seconds = fit.seconds(ofSample: sample, of: clock)
            #expect(abs(fit.sample(at: seconds, of: clock) - Double(sample)) < 1e-4)
        }
    }
}
