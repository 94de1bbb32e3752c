import PipCapture
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("A camera that comes back to its session", .serialized, .timeLimit(.minutes(5)))
struct ReturningCameraTests {
    let folder: TemporaryFolder
    let rig = CameraRig()

    init() throws { folder = try TemporaryFolder() }

    /// Advances the camera's clock until an output frame shows `code` in the inset; false if no frame does.
    private func shows(
        _ code: UInt8, _ frames: inout FrameStream.AsyncIterator, producing: UInt8? = nil
    ) async -> Bool {
        await firstFrame(&frames) { frame in
            rig.kernel.advance(by: .milliseconds(20))
            if let producing { rig.kernel.produce(CameraRig.path, FakeFrame(.fill(producing))) }
            return frame.luma(40, 4) == code && frame.luma(4, 40) == 50
        } != nil
    }

    @Test(
        "row 1: a camera that returns is shown in its layer again, whatever the layer showed meanwhile",
        arguments: [(AbsencePolicy.hold, UInt8(200)), (.freeze, 200), (.hide, 50), (.slate, 34)])
    func again(policy: AbsencePolicy, meanwhile: UInt8) async throws {
        let picture = try rig.inset(policy, in: folder)
        let session = try await rig.watched(picture) { session, frames in
            #expect(await shows(200, &frames, producing: 200))
            #expect(await rig.vanishes(in: session))
            // A slate shows 34 here: the pixel lies on the slate's panel.
            #expect(await shows(meanwhile, &frames))
            rig.kernel.add(CameraRig.path, FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)]))
            #expect(await shows(120, &frames, producing: 120))
        }
        let source = session.statistics.sources[1]
        #expect(UInt64(source.used + source.drops.total) == source.lastSequence.map { $0 + 1 }, "\(source)")
        let words = await events(of: session).compactMap {
            if case .camera(_, let event) = $0 { event.word } else { nil }
        }
        #expect(words == ["started", "lost", "reopened"])
    }

    @Test("M07: under the policy freeze, an absent camera's last frame has a badge")
    func badge() async throws {
        let picture = try rig.inset(.freeze, in: folder)
        /// The lowest luma in the area of the badge.
        func darkest(_ frame: Frame) -> UInt8 { (46..<51).map { frame.luma($0, 3) }.min() ?? 0 }
        try await rig.watched(picture) { session, frames in
            #expect(await shows(200, &frames, producing: 200))
            #expect(await rig.vanishes(in: session))
            var seen: Frame?
            #expect(
                await firstFrame(&frames) { frame in
                    rig.kernel.advance(by: .milliseconds(20))
                    seen = frame
                    return darkest(frame) < 110
                } != nil)
            #expect(seen?.luma(40, 12) == 200 && seen?.luma(60, 20) == 200 && seen?.luma(4, 40) == 50)
            rig.kernel.add(CameraRig.path, FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)]))
            #expect(await shows(120, &frames, producing: 120))
            // The badge may last for a frame or two after the camera's first frame, until the next plan is ready.
            #expect(await firstFrame(&frames) { darkest($0) == 120 } != nil)
        }
    }

    @Test("row 28: a camera may return with another size and format, and is drawn correctly")
    func anotherFormat() async throws {
        let picture = try rig.inset(.hold, in: folder)
        let session = try await rig.watched(picture) { session, frames in
            #expect(await shows(200, &frames, producing: 200))
            #expect(await rig.vanishes(in: session))
            rig.kernel.add(CameraRig.path, FakeCamera(formats: [FakeCamera.Format("GREY", 320, 240)]))
            // Full-range grey 120 is code 119 of limited range.
            let isShown = await firstFrame(&frames) { frame in
                rig.kernel.advance(by: .milliseconds(20))
                rig.kernel.produce(CameraRig.path, FakeFrame(.fill(120)))
                let code = frame.luma(40, 4)
                #expect(code == 200 || (117...122).contains(code), "\(code)")
                return (117...122).contains(code)
            }
            #expect(isShown != nil)
        }
        let source = session.statistics.sources[1]
        #expect(source.size == PixelSize(320, 240) && source.format == "GREY")
        #expect(UInt64(source.used + source.drops.total) == source.lastSequence.map { $0 + 1 }, "\(source)")
    }

    @Test("row 67: the output starts without an absent camera, and shows the camera when it is plugged in")
    func startsWithout() async throws {
        let missing = CameraRig(isThere: false)
        let picture = try missing.inset(.slate, in: folder)
        let tap = FrameTap(.nv12)
        picture --> tap
        var options = SessionOptions.live()
        options.startsWithoutCameras = true
        let session = try await Session(picture, options: options, cameras: missing.cameras)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            let first = await frames.next()
            #expect(first?.luma(40, 4) == 34, "a slate, from the first frame on")
            missing.kernel.add(CameraRig.path, FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)]))
            let shown = await firstFrame(&frames) { frame in
                missing.kernel.advance(by: .milliseconds(20))
                missing.kernel.produce(CameraRig.path, FakeFrame(.fill(90)))
                return frame.luma(40, 4) == 90
            }
            #expect(shown != nil)
        }
    }

    @Test(
        "a hundred switches to another camera give one output with increasing timestamps, and lose no frame beside it"
    )
    func switched() async throws {
        let (second, beside) = ("/dev/video1", "/dev/video2")
        var third = FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)])
        third.busInfo = "usb-0000:00:14.0-9"
        rig.kernel.add(beside, third)
        var other = FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)])
        other.busInfo = "usb-0000:00:14.0-7"
        rig.kernel.add(second, other)
        let tap = FrameTap(.nv12)
        let picture = Compositor(canvas: smallSize) {
            Layer(rig.source)
            Layer(CameraSource(.path(beside))).placed(x: 32, y: 0, width: 32, height: 24)
        }
        picture --> tap
        let session = try await Session(picture, options: .live(), cameras: rig.cameras)
        _ = try await running(session) {
            try await rig.kernel.delivering([(CameraRig.path, 50), (second, 90), (beside, 70)]) {
                // A camera without frames has not started.
                #expect(await waitUntil { session.statistics.sources.allSatisfy { $0.used > 0 } })
                for round in 1...100 {
                    let target = round.isMultiple(of: 2) ? CameraRig.path : second
                    try await session.switchCamera(rig.source, to: .path(target))
                    #expect(session.statistics.sources[0].device == target)
                }
                await #expect(throws: SessionError.self) {
                    try await session.switchCamera(rig.source, to: .path("/dev/video9"))
                }
                #expect(session.statistics.sources[0].device == CameraRig.path)
            }
        }
        var last = Timestamp.zero
        var isGrowing = true
        for await frame in tap.frames {
            isGrowing = isGrowing && frame.timestamp > last
            last = frame.timestamp
        }
        #expect(isGrowing && session.statistics.sinks[0].error == nil)
        let source = session.statistics.sources[0]
        #expect(UInt64(source.used + source.drops.total) == source.lastSequence.map { $0 + 1 }, "\(source)")
        // The camera beside the switched one lost at most two frames, and every frame is accounted for.
        let neighbour = session.statistics.sources[1]
        #expect(UInt64(neighbour.used + neighbour.drops.total) == neighbour.lastSequence.map { $0 + 1 }, "\(neighbour)")
        #expect(neighbour.drops[.sequenceGap] <= 2 && neighbour.events.count == 1, "\(neighbour)")
        let words = await events(of: session).compactMap {
            if case .camera(CameraRig.path, let event) = $0 { event.word } else { nil }
        }
        #expect(words == ["started"], "\(words)")
    }
}
