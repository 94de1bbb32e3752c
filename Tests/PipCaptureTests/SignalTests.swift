import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("The signal at a digital input")
struct SignalTests {
    private static func grabber(_ width: Int, _ height: Int) -> FakeCamera {
        var camera = FakeCamera(formats: [.init("YUYV", sizes: .unlisted, rates: .unlisted)])
        camera.signal = (PixelSize(width, height), FrameRate(30))
        camera.canSetRate = false
        return camera
    }

    @Test("row 29: a signal that changes during streaming is followed, and frames have the new size")
    func changes() async throws {
        let rig = try SlotRig(Self.grabber(1920, 1080))
        try rig.start()
        #expect(try #require(rig.slot.frames.take()).size == PixelSize(1920, 1080))
        rig.kernel.changeSignal(SlotRig.path) { $0.signal = (PixelSize(1280, 720), FrameRate(30)) }
        rig.kernel.waitForWatches()
        rig.pass(.milliseconds(500))
        rig.produce(3)
        #expect(try #require(rig.slot.frames.take()).size == PixelSize(1280, 720))
        #expect(rig.events.all.map(\.word) == ["started", "lost", "reopened"])
        await rig.slot.stop()
    }

    @Test(
        "row 29: a lost signal is waited for, reported once, and shown when it returns",
        arguments: [Errno.noLink, .noLocks])
    func goes(errno: Errno) async throws {
        let rig = try SlotRig(Self.grabber(1920, 1080))
        try rig.start()
        _ = rig.slot.frames.take()
        rig.kernel.changeSignal(SlotRig.path) { $0.signalError = errno }
        rig.kernel.waitForWatches()
        rig.pass(.seconds(6))
        #expect(rig.slot.state == .lost)
        rig.kernel.change(SlotRig.path) { $0.signalError = nil }
        rig.pass(.seconds(1))
        rig.produce(5)
        #expect(rig.newest() == 5)
        #expect(rig.events.all.map(\.word) == ["started", "lost", "waiting", "reopened"])
        await rig.slot.stop()
    }
}
