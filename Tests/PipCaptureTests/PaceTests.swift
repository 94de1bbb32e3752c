import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("A camera's pace")
struct PaceTests {
    /// The indices of the frames that pass the pacer.
    ///
    /// Each frame arrives up to `jitter` nanoseconds early or late.
    private func passing(
        _ rate: FrameRate, every interval: Duration, frames: Int, jitter: Int64 = 0, seed: UInt64 = 1
    ) -> [Int] {
        var pacer = Pacer(frameRate: rate)
        var random = Dice(Int(seed))
        return (0..<frames).filter { index in
            let shake = Duration.nanoseconds(Int64.random(in: -jitter...jitter, using: &random))
            let moment = Timestamp(nanoseconds: 1_000_000_000).advanced(by: rate.offset(ofFrame: index) + shake)
            return pacer.admits(moment, every: interval)
        }
    }

    @Test("lets every frame pass at an interval of zero")
    func all() { #expect(passing(FrameRate(30), every: .zero, frames: 30) == Array(0..<30)) }

    @Test("takes every other, third or sixth frame, whatever the jitter", arguments: [2, 3, 6], 0..<8 as Range<UInt64>)
    func divides(divisor: Int, seed: UInt64) {
        let interval = FrameRate(30, per: divisor).interval
        // The jitter is a quarter of a period either way.
        let passed = passing(FrameRate(30), every: interval, frames: 300, jitter: 8_000_000, seed: seed)
        #expect(passed == stride(from: 0, to: 300, by: divisor).map(\.self))
    }

    @Test("keeps the average when the rates do not divide", arguments: [(20, 200), (24, 240), (25, 250), (13, 130)])
    func average(rate: Int, expected: Int) {
        let passed = passing(FrameRate(30), every: FrameRate(rate).interval, frames: 300)
        #expect(abs(passed.count - expected) <= 1, "\(passed.count)")
    }

    @Test("lets every frame of a slower camera pass")
    func slower() { #expect(passing(FrameRate(10), every: .milliseconds(66), frames: 50).count == 50) }

    @Test("continues without a burst after a pause, and after a clock that was set back")
    func jumps() {
        var pacer = Pacer(frameRate: FrameRate(30))
        func admits(_ milliseconds: Int64) -> Bool {
            pacer.admits(Timestamp(nanoseconds: milliseconds * 1_000_000), every: .milliseconds(100))
        }
        #expect(admits(10_000) && !admits(10_033) && admits(10_100))
        #expect(admits(20_000) && !admits(20_033) && !admits(20_066) && admits(20_100))
        #expect(admits(5_000) && !admits(5_033) && admits(5_100))
    }

    @Test("drops frames as decimated, can be changed at any time, and every frame is accounted for")
    func camera() async throws {
        let rig = try Rig()
        try rig.start()
        rig.camera.pace = .milliseconds(66)
        for _ in 0..<10 { rig.produce(FakeFrame()) }
        #expect(rig.camera.statistics.delivered == 5)
        #expect(rig.camera.statistics.dropped[.decimated] == 5)
        rig.camera.pace = nil
        for _ in 0..<10 { rig.produce(FakeFrame()) }
        #expect(rig.camera.statistics.delivered == 15)
        #expect(rig.camera.statistics.dropped[.decimated] == 5)
        #expect(rig.camera.statistics.lastSequence == 19)
        await rig.camera.stop()
    }

    @Test("drops frames before they are decoded")
    func beforeDecoding() async throws {
        let rig = try Rig(FakeCamera(formats: [.init("MJPG", 640, 480)]))
        try rig.start()
        rig.camera.pace = .seconds(1)
        let rubbish = FakeFrame.compressed([UInt8](repeating: 1, count: 500))
        for _ in 0..<9 { rig.produce(rubbish) }
        await rig.camera.stop()
        // The decoder refuses every frame that reaches it. Decimated frames do not reach the decoder.
        #expect(rig.camera.statistics.dropped[.decimated] == 8)
        #expect(rig.camera.statistics.dropped[.corrupted] + rig.camera.statistics.dropped[.late] == 1)
    }

    @Test("T08: a pause drops frames while the device streams, and the first frame after the pause is fresh")
    func pause() async throws {
        try await VirtualTime.run { clock, _ in
            let rig = try SlotRig(kernel: FakeKernel(clock: clock))
            try rig.slot.start()
            for _ in 0..<3 { try await rig.deliver() }
            #expect(rig.slot.frames.take()?.info.sequence == 2)
            _ = rig.kernel.takeTrace(of: SlotRig.path)
            func pause(_ isPaused: Bool) async throws {
                let before = rig.slot.setup
                var after = before
                after.wish.isPaused = isPaused
                _ = try await CameraTransaction(
                    [(slot: rig.slot, change: SetupChange(from: before, to: after))], beside: [rig.slot],
                    in: rig.directory)
            }
            try await pause(true)
            for _ in 0..<40 {
                try await rig.deliver()
                #expect(rig.slot.frames.take() == nil)
            }
            #expect(rig.slot.state == .streaming)
            try await pause(false)
            #expect(rig.slot.frames.take() == nil)
            try await rig.deliver()
            #expect(rig.slot.frames.take()?.info.sequence == 43)
            #expect(rig.slot.statistics.dropped[.disabled] == 40)
            let calls = Set(rig.kernel.takeTrace(of: SlotRig.path))
            #expect(calls.subtracting(["VIDIOC_QBUF", "VIDIOC_DQBUF", "VIDIOC_DQEVENT"]).isEmpty, "\(calls)")
            await rig.slot.stop()
        }
    }

    @Test("F09: 20 of 30 frames are used evenly from the next frame on, and the device gets no call")
    func limit() async throws {
        try await VirtualTime.run { clock, _ in
            let rig = try SlotRig(kernel: FakeKernel(clock: clock))
            try rig.slot.start()
            func use(_ count: Int) async throws -> [UInt64] {
                var numbers: [UInt64] = []
                for _ in 0..<count {
                    try await rig.deliver()
                    if let frame = rig.slot.frames.take() { numbers.append(frame.info.sequence) }
                }
                return numbers
            }
            #expect(try await use(6).count == 6)
            _ = rig.kernel.takeTrace(of: SlotRig.path)
            let before = rig.slot.setup
            var after = before
            after.wish.rateLimit = FrameRate(20)
            let transaction = try await CameraTransaction(
                [(slot: rig.slot, change: SetupChange(from: before, to: after))], beside: [rig.slot],
                in: rig.directory)
            #expect(try await use(9) == [6, 8, 9, 11, 12, 14], "33 ms and 66 ms in turn")
            #expect(rig.slot.deliveredRate == FrameRate(20))
            // Relief requests a lower rate, and a higher one.
            rig.slot.pace = FrameRate(10).interval
            #expect(try await use(9).count == 3)
            rig.slot.pace = FrameRate(25).interval
            #expect(try await use(9).count == 6)
            await transaction.takeBack()
            rig.slot.pace = nil
            #expect(try await use(3).count == 3)
            #expect(rig.slot.deliveredRate == FrameRate(30))
            #expect(rig.slot.statistics.dropped[.decimated] == 3 + 6 + 3)
            let calls = Set(rig.kernel.takeTrace(of: SlotRig.path))
            #expect(calls.subtracting(["VIDIOC_QBUF", "VIDIOC_DQBUF", "VIDIOC_DQEVENT"]).isEmpty, "\(calls)")
            await rig.slot.stop()
        }
    }
}
