import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("When the machine sleeps")
struct SleepTests {
    @Test("row 27: a camera's stream is restarted, and frames from before the sleep are not shown")
    func wakes() async throws {
        let rig = try SlotRig()
        try rig.start()
        #expect(rig.newest() != nil)
        _ = rig.kernel.takeTrace(of: SlotRig.path)
        rig.kernel.sleep(for: .seconds(30), leaving: [FakeFrame(.fill(1)), FakeFrame(.fill(2))], at: SlotRig.path)
        rig.kernel.settle()
        #expect(rig.newest() == nil, "these are half a minute old")
        let calls = rig.kernel.takeTrace(of: SlotRig.path).filter { $0.hasPrefix("VIDIOC_STREAM") }
        #expect(calls == ["VIDIOC_STREAMOFF", "VIDIOC_STREAMON"])
        rig.produce(9)
        #expect(rig.newest() == 9)
        #expect(rig.slot.state == .streaming)
        #expect(rig.events.all == [.started, .slept(.seconds(30))])
        #expect(rig.slot.statistics.dropped[.sequenceGap] == 0)
        await rig.slot.stop()
    }

    @Test("row 27: a camera that delivers nothing after the sleep is opened anew within two seconds")
    func silentCamera() async throws {
        let took = try await VirtualTime.run { clock, _ in
            let rig = try SlotRig(kernel: FakeKernel(clock: clock))
            try rig.slot.start()
            try await rig.deliver()
            try await clock.sleep(for: .milliseconds(900))
            rig.kernel.sleep(for: .seconds(30))
            let woken = clock.now
            _ = rig.kernel.takeTrace(of: SlotRig.path)
            while !rig.kernel.takeTrace(of: SlotRig.path).contains("VIDIOC_S_FMT"),
                woken.duration(to: clock.now) < .seconds(20)
            {
                try await clock.sleep(for: .milliseconds(50))
            }
            let took = woken.duration(to: clock.now)
            try await rig.deliver(4)
            #expect(rig.newest() == 4)
            #expect(rig.events.all.map(\.word) == ["started", "slept", "lost", "reopened"])
            await rig.slot.stop()
            return took
        }
        #expect(took <= .seconds(2), "\(took)")
        FaultReport.record(
            row: 27,
            figures: "a camera that stays silent: opened anew after \((took.inSeconds * 100).rounded() / 100) s")
    }

    @Test("row 27: a camera that was switched off during the sleep can be switched on")
    func switchedOff() async throws {
        let rig = try SlotRig()
        try rig.start()
        try await rig.slot.disable()
        rig.kernel.sleep(for: .seconds(30))
        try await rig.slot.enable()
        rig.kernel.settle()
        rig.produce(6)
        #expect(rig.newest() == 6)
        #expect(rig.events.all == [.started, .disabled, .enabled])
        await rig.slot.stop()
    }

    @Test("row 27: the monotonic clock stands still while the machine sleeps")
    func clocks() {
        let calls = KernelCalls()
        let slept = calls.slept
        // The machine may have slept before, but does not now.
        #expect(slept >= .zero && abs((calls.slept - slept).inSeconds) < 0.1)
        #expect(abs(MonotonicClock().now.duration(to: calls.now).inSeconds) < 10)
    }
}
