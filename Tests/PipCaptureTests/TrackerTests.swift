import CV4L2
import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("Sequence numbers")
struct SequenceTrackerTests {
    private func count(_ driver: [UInt32]) -> (numbers: [UInt64], lost: Int) {
        var tracker = SequenceTracker()
        let frames = driver.map { tracker.next($0) }
        return (frames.map(\.sequence), frames.reduce(0) { $0 + $1.lost })
    }

    @Test("sequence numbers count from the first frame, gaps included")
    func gaps() {
        let (numbers, lost) = count([7, 8, 11, 12])
        #expect(numbers == [0, 1, 4, 5] && lost == 2)
    }

    @Test("row 24: sequence numbers continue when the driver's wrap around")
    func wrap() {
        let (numbers, lost) = count([UInt32.max - 1, .max, 0, 2])
        #expect(numbers == [0, 1, 2, 4] && lost == 1)
    }

    @Test("sequence numbers continue when the driver's repeat or decrease")
    func backwards() {
        let (numbers, lost) = count([5, 5, 5, 3, 4, 6])
        #expect(numbers == [0, 1, 2, 3, 4, 6] && lost == 1)
    }

    @Test("a leap of the driver's numbers that cannot be a loss is a new start")
    func leap() {
        let (numbers, lost) = count([5, 3_000_000, 3_000_001])
        #expect(numbers == [0, 1, 2] && lost == 0)
    }

    @Test("sequence numbers start over with the stream")
    func restart() {
        var tracker = SequenceTracker()
        _ = tracker.next(100)
        tracker.streamRestarted()
        let next = tracker.next(0)
        #expect(next.sequence == 1 && next.lost == 0)
    }

    @Test("sequence numbers and losses always add up", arguments: 0..<50)
    func addUp(seed: UInt64) {
        var random = Dice(Int(seed))
        var tracker = SequenceTracker()
        var lost = 0
        var driver = UInt32.random(in: 0 ... .max, using: &random)
        var last: UInt64 = 0
        for frame in 1...200 {
            let next = tracker.next(driver)
            #expect(frame == 1 || next.sequence > last)
            last = next.sequence
            lost += next.lost
            #expect(UInt64(frame + lost) == last + 1)
            driver &+= UInt32.random(in: 0...5, using: &random) &- UInt32.random(in: 0...1, using: &random)
        }
    }
}

@Suite("Timestamps")
struct TimestampPolicyTests {
    private static let start = Timestamp(nanoseconds: 50_000_000_000)

    /// A timestamp in milliseconds after the start.
    private func at(_ milliseconds: Int) -> Timestamp { Self.start.advanced(by: .milliseconds(milliseconds)) }

    @Test("the driver's timestamps are used while they are plausible")
    func trusted() {
        var policy = TimestampPolicy()
        for frame in 0..<10 {
            let (stamp, isEstimated) = policy.stamp(at(33 * frame), now: at(33 * frame + 5))
            #expect(stamp == at(33 * frame) && !isEstimated)
        }
        #expect(policy.problem == nil)
    }

    @Test("timestamps ahead by the error of a computed clock are limited to the present")
    func slightlyAhead() {
        var policy = TimestampPolicy()
        let (stamp, isEstimated) = policy.stamp(at(1), now: at(0))
        #expect(stamp == at(0) && !isEstimated)
    }

    @Test(
        "row 25: after the first implausible timestamp, arrival times are used",
        arguments: [
            (nil, TimestampProblem.notMonotonic), (60, .inTheFuture), (0, .backwards), (-20, .backwards),
            (-20_000, .tooOld), (2_147_483_632_000, .inTheFuture),
        ])
    func distrusted(milliseconds: Int?, problem: TimestampProblem) {
        var policy = TimestampPolicy()
        _ = policy.stamp(at(0), now: at(10))
        let (stamp, isEstimated) = policy.stamp(milliseconds.map(at), now: at(43))
        #expect(stamp == at(43) && isEstimated)
        #expect(policy.problem == problem)
        // After an implausible timestamp, even plausible ones are no longer trusted.
        let next = policy.stamp(at(70), now: at(76))
        #expect(next.timestamp == at(76) && next.isEstimated)
        policy.streamRestarted()
        #expect(policy.stamp(at(100), now: at(110)).isEstimated == false)
    }

    @Test("timestamps always increase", arguments: 0..<50)
    func grow(seed: UInt64) {
        var random = Dice(Int(seed))
        var policy = TimestampPolicy()
        var now = Self.start
        var last: Timestamp?
        for _ in 0..<200 {
            now = now.advanced(by: .microseconds(Int.random(in: 0...20_000, using: &random)))
            let driver = Timestamp(
                nanoseconds: now.nanoseconds + Int64.random(in: -50_000_000...4_000_000, using: &random))
            let stamp = policy.stamp(driver, now: now).timestamp
            if let last { #expect(stamp > last) }
            last = stamp
        }
    }

    @Test("S13: timestamps of a frame's end are moved back to the start of its exposure", arguments: [nil, 10, 50])
    func end(exposure: Int?) async throws {
        var fake = AdjustmentTests.webcam()
        fake.timestampFlags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_EOF)
        var wish = CameraWish(frameRate: FrameRate(25))
        wish.adjustments.exposure = exposure.map { .time(.milliseconds($0)) }
        let rig = try Rig(fake, wish: wish)
        let period = try #require(rig.camera.format.frameRate).interval
        try rig.start()
        rig.produce(FakeFrame())
        let frame = try rig.take()
        let exposed = exposure.map { min(.milliseconds($0), period) } ?? .zero
        #expect(frame.timestamp.duration(to: rig.kernel.now) == period + exposed)
        #expect(!frame.info.isTimestampEstimated)
        await rig.camera.stop()
    }

    @Test("timestamps of a camera without the monotonic clock are estimated, which is reported once")
    func camera() async throws {
        var fake = FakeCamera()
        fake.timestampFlags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN)
        let rig = try Rig(fake)
        try rig.start()
        for _ in 0..<5 { rig.produce(FakeFrame()) }
        let frame = try rig.take()
        #expect(frame.info.isTimestampEstimated && frame.timestamp == rig.kernel.now)
        try await rig.camera.disable()
        try await rig.camera.enable()
        rig.produce(FakeFrame())
        #expect(rig.events.all == [.timestampsEstimated(.notMonotonic), .started, .disabled, .enabled])
        await rig.camera.stop()
    }

    @Test("timestamps from a wild clock do not overflow")
    func wild() async throws {
        let rig = try Rig()
        try rig.start()
        for nanoseconds in [Int64.max, .min, 0, -1] {
            var frame = FakeFrame()
            frame.timestamp = Timestamp(nanoseconds: nanoseconds)
            rig.produce(frame)
        }
        #expect(try rig.take().info.isTimestampEstimated)
        await rig.camera.stop()
    }
}

@Suite("The states of a camera")
struct CameraLifecycleTests {
    private static let start = Timestamp(nanoseconds: 1_000_000_000)
    private func at(_ milliseconds: Int) -> Timestamp { Self.start.advanced(by: .milliseconds(milliseconds)) }

    private func streaming(_ rate: FrameRate? = FrameRate(30)) -> CameraLifecycle {
        var lifecycle = CameraLifecycle(frameRate: rate)
        lifecycle.streamStarted(at: at(0))
        return lifecycle
    }

    @Test("a camera's states begin with opening, and end with closed unless the camera is lost")
    func ends() {
        var lifecycle = CameraLifecycle(frameRate: nil)
        #expect(lifecycle.state == .opening && lifecycle.deadline == nil)
        lifecycle.closed()
        #expect(lifecycle.state == .closed)
        lifecycle.lost()
        lifecycle.closed()
        #expect(lifecycle.state == .lost)
    }

    @Test(
        "a camera is silent after five frame periods, but a second at least",
        arguments: [
            (FrameRate(30), 1000), (FrameRate(5), 1000), (FrameRate(2), 2500), (FrameRate(1), 5000),
        ])
    func patience(rate: FrameRate, milliseconds: Int) {
        #expect(streaming(rate).deadline == at(milliseconds))
    }

    @Test("the first frame is reported once")
    func firstFrame() {
        var lifecycle = streaming()
        #expect(lifecycle.frameArrived(at: at(40)) == .started)
        #expect(lifecycle.frameArrived(at: at(73)) == nil)
    }

    @Test("silence is reported once, until a frame arrives")
    func silence() {
        var lifecycle = streaming()
        _ = lifecycle.frameArrived(at: at(40))
        #expect(lifecycle.silence(at: at(1039)) == nil)
        #expect(lifecycle.silence(at: at(1040)) == .seconds(1))
        #expect(lifecycle.state == .stalled)
        #expect(lifecycle.silence(at: at(9000)) == nil)
        #expect(lifecycle.frameArrived(at: at(9001)) == .resumed)
        #expect(lifecycle.state == .streaming && lifecycle.deadline == at(10_001))
    }

    @Test("a damaged frame ends a silence")
    func damagedIsAlive() {
        var lifecycle = streaming()
        lifecycle.driverAnswered(at: at(900))
        #expect(lifecycle.silence(at: at(1899)) == nil)
    }

    @Test("an incident allows one restart, and a good frame ends the incident")
    func incidents() {
        var lifecycle = streaming()
        #expect(lifecycle.failed(at: at(10)) == .restart)
        #expect(lifecycle.failed(at: at(20)) == .giveUp)
        _ = lifecycle.frameArrived(at: at(30))
        #expect(lifecycle.failed(at: at(40)) == .restart)
    }

    @Test("five restarts in ten seconds are allowed")
    func restarts() {
        var lifecycle = streaming()
        for step in 0..<5 {
            #expect(lifecycle.failed(at: at(step * 1000)) == .restart)
            _ = lifecycle.frameArrived(at: at(step * 1000 + 500))
        }
        var later = lifecycle
        #expect(lifecycle.failed(at: at(9999)) == .giveUp)
        #expect(later.failed(at: at(10_000)) == .restart)
    }

    @Test("a stalled camera that fails is given up")
    func stalledAndFailed() {
        var lifecycle = streaming()
        _ = lifecycle.silence(at: at(2000))
        #expect(lifecycle.failed(at: at(2010)) == .giveUp)
    }

    @Test("a disabled camera is expected to deliver nothing")
    func disabled() {
        var lifecycle = streaming()
        lifecycle.disabled()
        #expect(lifecycle.deadline == nil && !lifecycle.isRunning)
        #expect(lifecycle.silence(at: at(100_000)) == nil)
        lifecycle.streamStarted(at: at(100_000))
        #expect(lifecycle.state == .streaming && lifecycle.deadline == at(101_000))
    }
}
