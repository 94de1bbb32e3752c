import CV4L2
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("A camera that delivers less than it promised")
struct RateWatchTests {
    /// A rate watch of a camera that promises 30 frames a second, and the events that the watch has returned.
    ///
    /// Each event has the timestamp of the frame that caused it.
    private struct Watched {
        var watch = RateWatch(promised: FrameRate(30), hint: "light")
        var now = Timestamp(nanoseconds: 5_000_000_000)
        var said: [(event: CameraEvent, at: Timestamp)] = []

        /// Delivers frames at a rate, with a jitter of up to a quarter of their period.
        ///
        /// Every `losing`th frame is lost, unless `losing` is 0.
        mutating func deliver(_ rate: Double, seconds: Double, losing: Int = 0) {
            for frame in 0..<Int(rate * seconds) {
                let jitter = Double(frame * 7919 % 11 - 5) / 20
                let moment = now.advanced(by: .nanoseconds(Int64((Double(frame + 1) + jitter) / rate * 1e9)))
                if losing > 0, frame % losing == 1 { continue }
                let lost = losing > 0 && frame % losing == 2 ? 1 : 0
                if let event = watch.frameArrived(lost: lost, at: moment) { said.append((event, moment)) }
            }
            now = now.advanced(by: .nanoseconds(Int64(seconds * 1e9)))
        }
    }

    @Test("row 30: half the rate is reported once within five seconds, and so is its end")
    func halved() throws {
        var camera = Watched()
        camera.deliver(30, seconds: 20.7)
        #expect(camera.said.isEmpty)
        let dark = camera.now
        camera.deliver(15, seconds: 60)
        #expect(camera.said.count == 1)
        let told = try #require(camera.said.first)
        #expect(dark.duration(to: told.at) <= .seconds(5))
        guard case .degraded(let rate, let promised, "light") = told.event else {
            Issue.record("\(told)")
            return
        }
        #expect(abs(rate - 15) < 0.5 && promised == FrameRate(30))
        #expect(
            "\(CameraEvent.degraded(framesPerSecond: 15.02, of: promised, hint: "light"))".hasPrefix(
                "delivers 15.0 of 30"))
        let light = camera.now
        camera.deliver(30, seconds: 30)
        #expect(camera.said.count == 2 && camera.said.last?.event == .recovered(FrameRate(30)))
        #expect(camera.said.last.map { light.duration(to: $0.at) <= .seconds(5) } == true)
        FaultReport.record(
            row: 30, figures: "told after \((dark.duration(to: told.at).inSeconds * 10).rounded() / 10) s")
    }

    @Test("row 30: a clock that is 0.1 % off, lost frames and a pause are not reported")
    func innocent() {
        var camera = Watched()
        camera.deliver(29.97, seconds: 30)
        camera.deliver(28, seconds: 30)
        // Every third frame is lost: the sequence numbers count these losses.
        camera.deliver(30, seconds: 30, losing: 3)
        camera.now = camera.now.advanced(by: .seconds(10))
        camera.deliver(30, seconds: 10)
        for _ in 0..<20 {
            camera.now = camera.now.advanced(by: .milliseconds(700))
            camera.deliver(30, seconds: 10)
        }
        #expect(camera.said.isEmpty, "\(camera.said)")
    }

    @Test("row 30: a slow camera is measured by its own promised rate")
    func slow() {
        var camera = Watched(watch: RateWatch(promised: FrameRate(2), hint: "light"))
        camera.deliver(2, seconds: 60)
        #expect(camera.said.isEmpty)
        camera.deliver(1, seconds: 60)
        #expect(camera.said.count == 1)
    }

    @Test("row 30: the event names the control that allows a lower rate, and the command that forbids it")
    func hint() async throws {
        var fake = FakeCamera()
        fake.controls = [
            FakeCamera.Control(
                UInt32(V4L2_CID_EXPOSURE_AUTO_PRIORITY), "Exposure, Dynamic Framerate", V4L2_CTRL_TYPE_BOOLEAN, 0...1)
        ]
        let rig = try Rig(fake)
        try rig.start()
        for _ in 0..<100 { rig.produce(FakeFrame()) }
        for _ in 0..<75 {
            rig.kernel.advance(by: .milliseconds(33))
            rig.produce(FakeFrame())
        }
        let told = rig.events.all.filter { $0.word == "degraded" }
        #expect(told.count == 1)
        #expect("\(told)".contains("v4l2-ctl -d /dev/video0 -c exposure_dynamic_framerate=0"), "\(told)")
        #expect(rig.camera.state == .streaming)
        await rig.camera.stop()
    }

    @Test(
        "row 31: of a camera that is much faster than its reader, the newest frame is taken, and it is no older than a period"
    )
    func tooFast() async throws {
        let rig = try Rig()
        try rig.start()
        for round in 0..<100 {
            for part in 0..<4 {
                rig.kernel.advance(by: .milliseconds(8))
                rig.kernel.produce(Rig.path, FakeFrame(.fill(UInt8(truncatingIfNeeded: round * 4 + part))))
                rig.kernel.settle()
            }
            let frame = try rig.take()
            #expect(Rig.bytes(frame, count: 1) == [UInt8(truncatingIfNeeded: round * 4 + 3)])
            #expect(frame.timestamp.duration(to: rig.kernel.now) <= .milliseconds(8))
        }
        await rig.camera.stop()
        #expect(rig.camera.statistics.dropped[.late] == 300 && rig.camera.statistics.dropped.total == 300)
    }
}
