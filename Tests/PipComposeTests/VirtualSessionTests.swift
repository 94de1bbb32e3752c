import PipCapture
import PipConcurrency
import PipPatterns
import PipTestSupport
import Testing

@testable import PipCompose

/// Scripted cameras in virtual time, for sessions on the same clock.
struct VirtualRig {
    static let period = Duration.milliseconds(40)

    let clock: MonotonicClock
    let kernel: FakeKernel
    var cameras: CameraDirectory { CameraDirectory(calls: kernel) }

    init(_ clock: MonotonicClock, cameras: Int = 1) {
        self.clock = clock
        kernel = FakeKernel(clock: clock)
        for index in 0..<cameras { plug(index) }
    }

    static func path(_ index: Int) -> String { "/dev/video\(index)" }

    func plug(_ index: Int) {
        kernel.add(Self.path(index), FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)]))
    }

    /// Real-time options with the rig's clock.
    func options(rate: Int = 25) -> SessionOptions {
        SessionOptions.live(rate).by(clock)
    }

    /// Delivers a frame of one luma code from each camera in every period, for `duration`.
    func deliver(_ codes: [Int: UInt8], for duration: Duration) async throws {
        for _ in 0..<Int(duration / Self.period) {
            try await clock.sleep(for: Self.period)
            for (index, code) in codes.sorted(by: { $0.key < $1.key }) {
                kernel.produce(Self.path(index), FakeFrame(.fill(code)))
            }
        }
    }

    /// Runs a session while `body` runs, and then stops the session.
    func running(_ session: Session, _ body: () async throws -> Void) async throws {
        async let run: Void = session.run()
        // The session polls for first frames every 2 ms, and then draws at multiples of its period.
        //
        // The offset puts each camera frame shortly before an output frame.
        try await clock.sleep(for: .microseconds(13_500))
        try await body()
        session.stop()
        try await run
    }
}

@Suite("A session in virtual time", .timeLimit(.minutes(5)))
struct VirtualSessionTests {
    @Test("each frame is made at its time, whatever the machine has to do", arguments: [25, 60])
    func everyFrame(rate: Int) async throws {
        let made = try await VirtualTime.run { clock, _ in
            let rig = VirtualRig(clock)
            let picture = Compositor { Layer(PatternSource(.bars, size: smallSize, frameRate: FrameRate(rate))) }
            picture --> NullSink(.nv12)
            let session = try await Session(picture, options: rig.options(rate: rate))
            let start = clock.now
            try await session.run(for: .seconds(20))
            let output = session.statistics.output
            return (frames: output.frames, missed: output.missed, took: start.duration(to: clock.now))
        }
        #expect(made.frames == 20 * rate)
        #expect(made.missed == 0)
        #expect(made.took >= .seconds(20 - 1) && made.took < .seconds(21))
    }

    @Test("a session shows each of a camera's frames, and loses none")
    func camera() async throws {
        let source = try await VirtualTime.run { clock, _ in
            let rig = VirtualRig(clock)
            let camera = CameraSource(.path(VirtualRig.path(0)))
            camera --> NullSink(.nv12)
            let session = try await Session(camera, options: rig.options(), cameras: rig.cameras)
            try await rig.running(session) {
                try await rig.deliver([0: 90], for: .seconds(20))
                // One more period lets the session draw the last frame.
                try await clock.sleep(for: VirtualRig.period)
            }
            return session.statistics.sources[0]
        }
        #expect(source.delivered == 500)
        #expect(source.used == 500)
        #expect(source.drops.total == 0)
    }

    @Test(
        "an unplugged camera is lost at once and reopened within two seconds of its return, and the other loses nothing"
    )
    func replugged() async throws {
        let (lost, back, other) = try await VirtualTime.run { clock, _ in
            let rig = VirtualRig(clock, cameras: 2)
            let first = CameraSource(.path(VirtualRig.path(0)))
            let second = CameraSource(.path(VirtualRig.path(1)))
            let picture = Compositor(canvas: smallSize) {
                Layer(first)
                Layer(second).placed(x: 32, y: 0, width: 32, height: 24)
            }
            picture --> NullSink(.nv12)
            let session = try await Session(picture, options: rig.options(), cameras: rig.cameras)
            var (lost, back) = (Duration.zero, Duration.zero)
            func passes(until state: CameraState) async throws -> Duration {
                let start = clock.now
                while session.statistics.sources[1].state != state, start.duration(to: clock.now) < .seconds(60) {
                    try await rig.deliver([0: 90], for: VirtualRig.period)
                }
                return start.duration(to: clock.now)
            }
            try await rig.running(session) {
                try await rig.deliver([0: 90, 1: 30], for: .seconds(5))
                rig.kernel.unplug(VirtualRig.path(1))
                lost = try await passes(until: .lost)
                try await rig.deliver([0: 90], for: .seconds(30))
                rig.plug(1)
                back = try await passes(until: .streaming)
                try await rig.deliver([0: 90, 1: 30], for: .seconds(5))
                // One more period lets the session draw the last frames.
                try await clock.sleep(for: VirtualRig.period)
            }
            return (lost, back, session.statistics.sources[0])
        }
        #expect(lost <= .milliseconds(100), "\(lost)")
        #expect(back <= .seconds(2), "\(back)")
        #expect(other.drops.total == 0)
        #expect(other.used == other.delivered)
    }
}
