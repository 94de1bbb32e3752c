import PipCapture
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("A session with a camera", .serialized, .timeLimit(.minutes(5)))
struct SessionCameraTests {
    let folder: TemporaryFolder
    let rig = CameraRig()

    init() throws { folder = try TemporaryFolder() }

    @Test("shows the camera's frames, and every frame is used or dropped")
    func accounting() async throws {
        let session = try await rig.watched(rig.source) { session, frames in
            for code in UInt8(1)...20 {
                rig.produce(code)
                if code % 4 == 0 {
                    let shown = await firstFrame(&frames) { $0.luma(3, 3) == code }
                    #expect(shown != nil)
                }
            }
            var damaged = FakeFrame()
            damaged.bytesUsed = 10
            rig.kernel.produce(CameraRig.path, damaged)
            rig.kernel.settle()
            var skipping = FakeFrame(.fill(77))
            skipping.sequence = 29
            rig.kernel.produce(CameraRig.path, skipping)
            let last = await firstFrame(&frames) { $0.luma(3, 3) == 77 }
            #expect(last != nil)
        }
        let camera = session.statistics.sources[0]
        #expect(camera.kind == .camera && camera.device == CameraRig.path)
        #expect(camera.used + camera.drops.total == 30)
        #expect(camera.drops[.short] == 1)
        #expect(camera.drops[.sequenceGap] == 8)
        #expect(camera.state == .closed)
    }

    @Test("a session that is over leaves no camera open")
    func closes() async throws {
        do {
            try await rig.watched(rig.source) { _, frames in
                rig.produce(50)
                _ = await firstFrame(&frames) { $0.luma(3, 3) == 50 }
            }
        }
        #expect(rig.kernel.waitUntilClosed())
        #expect(rig.kernel.mappingCount == 0)
    }

    @Test("frames that arrive faster than the output's rate are dropped as late, and all are accounted for")
    func burst() async throws {
        let session = try await rig.watched(rig.source, .live(30)) { session, frames in
            for round in UInt8(0)..<10 {
                for part in UInt8(1)...10 {
                    rig.produce(round * 10 + part)
                }
                _ = await firstFrame(&frames) { $0.luma(3, 3) == round * 10 + 10 }
            }
        }
        let camera = session.statistics.sources[0]
        #expect(camera.used + camera.drops.total == 100)
        #expect(camera.drops.total == camera.drops[.late])
    }

    @Test("a camera that is disabled before the session runs starts disabled, and is enabled while it runs")
    func startsDisabled() async throws {
        let picture = try rig.inset(.hide, in: folder)
        picture --> FrameTap(.nv12)
        let session = try await Session(picture, options: .live(), cameras: rig.cameras)
        try await session.setEnabled(false, rig.source)
        _ = try await running(session) {
            #expect(await waitUntil { session.statistics.sources.contains { $0.state == .disabled } })
            try await session.setEnabled(true, rig.source)
            #expect(await rig.streams(in: session))
        }
    }

    @Test("a camera is disabled and enabled without a new negotiation")
    func disabling() async throws {
        try await rig.watched(rig.source) { session, frames in
            rig.produce(50)
            _ = await firstFrame(&frames) { $0.luma(3, 3) == 50 }
            _ = rig.kernel.takeTrace(of: CameraRig.path)
            try await session.setEnabled(false, rig.source)
            #expect(session.statistics.sources[0].state == .disabled)
            try await session.setEnabled(true, rig.source)
            rig.produce(60)
            let shown = await firstFrame(&frames) { $0.luma(3, 3) == 60 }
            #expect(shown != nil)
            let calls = rig.kernel.takeTrace(of: CameraRig.path)
            #expect(calls.contains("VIDIOC_STREAMOFF") && calls.contains("VIDIOC_STREAMON"))
            #expect(!calls.contains("VIDIOC_S_FMT") && !calls.contains("VIDIOC_REQBUFS"))
        }
    }

    /// The luma codes in the inset's area once the inset's camera is gone, for each policy except `freeze`.
    static let insetPolicies: [(AbsencePolicy, inset: [UInt8])] = [
        (.hold, [200]), (.hide, [50]), (.slate, [34, 70]), (.promote, [50]),
    ]

    @Test("a lost inset shows what its policy says, and the output goes on", arguments: insetPolicies)
    func lostInset(policy: AbsencePolicy, inset: [UInt8]) async throws {
        try await lose(rig.inset(policy, in: folder), [200, 50], main: 50, inset: inset)
    }

    /// The luma codes in both pictures' areas once the main camera is gone, for each policy except `freeze`.
    static let mainPolicies: [(AbsencePolicy, main: [UInt8], inset: [UInt8])] = [
        (.hold, [200], [50]), (.hide, [16], [50]), (.slate, [34, 70], [50]), (.promote, [50], [50]),
    ]

    @Test("a lost main picture shows what its policy says", arguments: mainPolicies)
    func lostMain(policy: AbsencePolicy, main: [UInt8], inset: [UInt8]) async throws {
        let still = try folder.gray(50)
        let picture = Compositor(canvas: smallSize) {
            Layer(rig.source).whenMissing(policy)
            Layer(still).placed(x: 32, y: 0, width: 32, height: 24)
        }
        try await lose(picture, [50, 200], mains: main, inset: inset)
    }

    private func lose(_ picture: Compositor, _ before: [UInt8], main: UInt8, inset: [UInt8]) async throws {
        try await lose(picture, before, mains: [main], inset: inset)
    }

    /// Runs until the camera's frame shows and unplugs the camera, then expects the codes at (4, 40) and (40, 4).
    private func lose(_ picture: Compositor, _ before: [UInt8], mains: [UInt8], inset: [UInt8]) async throws {
        let session = try await rig.watched(picture) { session, frames in
            rig.produce(200)
            let first = await firstFrame(&frames) { [$0.luma(40, 4), $0.luma(4, 40)] == before }
            #expect(first != nil)
            rig.kernel.unplug(CameraRig.path)
            var last: [UInt8] = []
            let after = await firstFrame(&frames) { frame in
                last = [frame.luma(40, 4), frame.luma(4, 40)]
                let isLost = session.statistics.sources.contains { $0.state == .lost }
                return isLost && inset.contains(last[0]) && mains.contains(last[1])
            }
            #expect(after != nil, "\(last)")
            // The next frames show the same codes.
            for _ in 0..<5 {
                let frame = await frames.next()
                #expect(frame.map { inset.contains($0.luma(40, 4)) && mains.contains($0.luma(4, 40)) } == true)
            }
        }
        let lost = await events(of: session).filter {
            if case .camera(_, .lost) = $0 { true } else { false }
        }
        #expect(lost.count == 1)
    }

    @Test("the output starts without a camera that never delivers", arguments: AbsencePolicy.allCases)
    func silent(policy: AbsencePolicy) async throws {
        let picture = try rig.inset(policy, in: folder)
        try await rig.watched(picture, .live(patience: .milliseconds(50))) { session, frames in
            let wanted: [UInt8] = policy == .slate ? [34, 70] : [50]
            let frame = await firstFrame(&frames) { wanted.contains($0.luma(40, 4)) && $0.luma(4, 40) == 50 }
            #expect(frame != nil)
            rig.produce(180)
            let late = await firstFrame(&frames) { $0.luma(40, 4) == 180 }
            #expect(late != nil)
        }
    }

    @Test("a missing camera is an error that names it when the session is made")
    func missing() async throws {
        let camera = CameraSource(.path("/dev/video9"))
        camera --> NullSink(.nv12)
        let error = await #expect(throws: SessionError.self) {
            try await Session(camera, options: SessionOptions(), cameras: rig.cameras)
        }
        #expect(error?.description.contains("/dev/video9") == true)
    }

    @Test("a session that could not be made leaves no camera open")
    func leavesNothingOpen() async throws {
        let picture = Compositor(canvas: smallSize) {
            Layer(rig.source)
            Layer(RawSource("/nowhere", format: .nv12, size: smallSize))
        }
        picture --> NullSink(.nv12)
        await #expect(throws: SessionError.self) {
            try await Session(picture, options: SessionOptions(), cameras: rig.cameras)
        }
        #expect(rig.kernel.waitUntilClosed())
        #expect(rig.kernel.mappingCount == 0)
    }
}
