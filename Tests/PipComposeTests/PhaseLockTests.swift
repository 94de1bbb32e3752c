import PipConcurrency
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("An output locked to its main camera", .timeLimit(.minutes(5)))
struct PhaseLockTests {
    /// The camera frame numbers in the output's frames, for 750 camera frames that are `period` apart.
    private func shown(_ outputClock: OutputClock, period: Duration) async throws -> [UInt64] {
        try await VirtualTime.run { clock, _ in
            let rig = VirtualRig(clock)
            let camera = CameraSource(.path(VirtualRig.path(0)))
            let tap = FrameTap(.nv12, buffering: .newest(2000))
            camera --> tap
            var options = rig.options()
            options.clock = outputClock
            let session = try await Session(camera, options: options, cameras: rig.cameras)
            async let numbers = tap.frames.reduce(into: [UInt64]()) { $0.append($1.info.inputs[0].sequence) }
            try await rig.running(session) {
                let start = clock.now
                for number in 1...750 {
                    try await clock.sleep(until: start.advanced(by: period * number))
                    rig.kernel.produce(VirtualRig.path(0), FakeFrame())
                }
            }
            return await numbers
        }
    }

    /// The counts of the differences between successive numbers, keyed by difference, without the first 50.
    private func steps(_ numbers: [UInt64]) -> [UInt64: Int] {
        zip(numbers, numbers.dropFirst()).dropFirst(50).reduce(into: [:]) { $0[$1.1 - $1.0, default: 0] += 1 }
    }

    @Test(
        "a locked output shows each frame once, although the clocks differ by half a per cent",
        arguments: [33_167, 33_333, 33_500])
    func locked(microseconds: Int) async throws {
        let steps = steps(try await shown(.mainCamera, period: .microseconds(microseconds)))
        #expect(Set(steps.keys) == [1], "\(steps)")
        #expect(steps[1, default: 0] > 650)
    }

    @Test("an output with its own clock leaves frames out, or repeats them", arguments: [(33_167, 2), (33_500, 0)])
    func free(microseconds: Int, step: UInt64) async throws {
        let steps = steps(try await shown(.mainRate, period: .microseconds(microseconds)))
        #expect(steps[step, default: 0] >= 2, "\(steps)")
    }

    @Test(
        "the output's phase moves in small steps, the shorter way, to a quarter of a period after the camera's frames")
    func corrections() {
        let period = Duration.milliseconds(40)
        func settled(from age: Duration) -> Duration {
            (0..<300).reduce(age) { age, _ in
                let next = age + PhaseLock.correction(age: age, period: period)
                #expect(abs((next - age).nanoseconds) <= period.nanoseconds / 32)
                return next
            }
        }
        for milliseconds in 0..<40 {
            let age = settled(from: .milliseconds(milliseconds))
            let rest = (age - period / 4).nanoseconds % period.nanoseconds
            #expect(min(abs(rest), period.nanoseconds - abs(rest)) < 1000, "\(milliseconds): \(age)")
        }
        #expect(settled(from: .milliseconds(15)) < .milliseconds(15))
        #expect(settled(from: .milliseconds(35)) > .milliseconds(35))
        #expect(PhaseLock.correction(age: .seconds(2), period: period) == .zero)
        #expect(PhaseLock.correction(age: .milliseconds(3), period: .zero) == .zero)
    }
}
