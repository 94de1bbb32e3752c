import CV4L2
import Foundation
import PipCapture
import PipConcurrency
import PipPatterns
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Stills", .timeLimit(.minutes(5)))
struct StillTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The size of a picture file, and the luma of a pixel in its lower right quarter.
    private func gray(of path: String) async throws -> (code: UInt8, size: PixelSize) {
        let source = PictureSource(path)
        let tap = FrameTap(.nv12)
        source --> tap
        let session = try await Session(source, options: .offline)
        async let run: Void = session.run(frames: 1)
        var frames = tap.frames.makeAsyncIterator()
        let frame = try #require(await frames.next())
        try await run
        return (frame.luma(frame.size.width * 3 / 4, frame.size.height * 3 / 4), frame.size)
    }

    private struct Seen {
        var still: Still
        var sources: [SessionStatistics.Source]
        var outputs: [OutputStatistics]
        var mode: PixelSize?
    }

    /// Runs a session with two cameras, of which the inset has a larger mode, too, and takes a still with `take`.
    private func seen(
        _ take: @escaping @Sendable (Session, _ picture: Compositor, _ inset: CameraSource) async throws -> Still
    ) async throws -> Seen {
        try await VirtualTime.run { clock, _ in
            let rig = VirtualRig(clock)
            rig.kernel.add(
                VirtualRig.path(1),
                FakeCamera(formats: [
                    FakeCamera.Format("NV12", sizes: .discrete([PixelSize(64, 48), PixelSize(256, 192)]))
                ]))
            let main = CameraSource(.path(VirtualRig.path(0)))
            let inset = CameraSource(.path(VirtualRig.path(1)), wish: CameraWish(size: PixelSize(64, 48)))
            let picture = Compositor(canvas: PixelSize(128, 96)) {
                Layer(main)
                Layer(inset).placed(x: 0, y: 0, width: 64, height: 48)
            }
            picture --> NullSink(.nv12)
            let session = try await Session(picture, options: rig.options(), cameras: rig.cameras)
            var result: Seen?
            try await rig.running(session) {
                try await rig.deliver([0: 128, 1: 116], for: .seconds(1))
                async let still = take(session, picture, inset)
                try await rig.deliver([0: 128, 1: 116], for: .seconds(4))
                let taken = try await still
                try await clock.sleep(for: VirtualRig.period)
                result = Seen(
                    still: taken, sources: session.statistics.sources, outputs: session.statistics.sinks,
                    mode: session.statistics.sources[1].size)
            }
            return try #require(result)
        }
    }

    @Test("a still of the composed picture costs outputs and cameras no frame", arguments: [Still.Format.jpeg, .png])
    func composed(format: Still.Format) async throws {
        let seen = try await seen { session, picture, _ in try await session.still(of: picture, as: format) }
        let path = try seen.still.write(to: folder.path(format == .png ? "a.png" : "a.jpg"))
        let shown = try await gray(of: path)
        #expect(abs(Int(shown.code) - 128) <= 2)
        #expect(shown.size == PixelSize(128, 96) && seen.still.size == shown.size)
        #expect(seen.still.inputs.count == 2)
        for source in seen.sources {
            #expect(source.drops.total == 0)
            #expect(source.used == source.delivered)
        }
        // The still is not among the session's outputs.
        #expect(seen.outputs.count == 1)
        #expect(seen.outputs[0].drops.total == 0)
    }

    @Test("a still of one camera has its largest size, and costs the other camera no frame")
    func largest() async throws {
        let seen = try await seen { session, _, inset in try await session.largestStill(of: inset, as: .png) }
        let shown = try await gray(of: try seen.still.write(to: folder.path("large.png")))
        #expect(abs(Int(shown.code) - 116) <= 5)
        #expect(shown.size == PixelSize(256, 192))
        #expect(seen.sources[0].drops.total == 0)
        #expect(seen.sources[0].used == seen.sources[0].delivered)
        #expect(seen.mode == PixelSize(64, 48))
        #expect(seen.outputs[0].drops.total == 0)
    }

    @Test("C08: the camera's flash lights a still on request, and in the dark automatically")
    func lit() async throws {
        func control(_ id: Int64, _ name: String, _ type: v4l2_ctrl_type, _ most: Int) -> FakeCamera.Control {
            FakeCamera.Control(UInt32(id), name, type, 0...most, value: 0)
        }
        try await VirtualTime.run { clock, _ in
            let rig = VirtualRig(clock)
            var camera = FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)])
            var mode = control(Int64(V4L2_CID_FLASH_LED_MODE), "LED Mode", V4L2_CTRL_TYPE_MENU, 1)
            mode.menu = [0: "Off", 1: "Flash"]
            camera.controls = [mode, control(Int64(V4L2_CID_FLASH_STROBE), "Strobe", V4L2_CTRL_TYPE_BUTTON, 0)]
            rig.kernel.add(VirtualRig.path(1), camera)
            let (source, plain) = (
                CameraSource(.path(VirtualRig.path(1))), CameraSource(.path(VirtualRig.path(0)))
            )
            let picture = Compositor(canvas: smallSize) {
                Layer(source)
                Layer(plain)
            }
            picture --> NullSink(.nv12)
            let session = try await Session(picture, options: rig.options(), cameras: rig.cameras)
            func fires(_ flash: CameraFlash, at code: UInt8) async throws -> Bool {
                try await rig.deliver([0: 20, 1: code], for: .seconds(1))
                _ = rig.kernel.takeTrace(of: VirtualRig.path(1))
                let asked = clock.now
                async let still = session.still(of: source, flash: flash)
                try await rig.deliver([0: 20, 1: code], for: .seconds(1))
                let taken = try await still
                #expect(rig.kernel.controlValue(UInt32(V4L2_CID_FLASH_LED_MODE), of: VirtualRig.path(1)) == 0)
                #expect(flash == .off || taken.inputs.allSatisfy { $0.timestamp >= asked })
                return rig.kernel.takeTrace(of: VirtualRig.path(1)).contains("VIDIOC_S_CTRL")
            }
            try await rig.running(session) {
                try await rig.deliver([0: 20, 1: 20], for: .milliseconds(200))
                #expect(try await fires(.on, at: 20))
                #expect(try await fires(.automatic, at: 20))
                #expect(try await !fires(.off, at: 20))
                #expect(try await !fires(.automatic, at: 128))
                // A camera without a light takes a dark still, unless a flash is requested.
                async let dark = session.still(of: plain, flash: .automatic)
                try await rig.deliver([0: 20, 1: 20], for: .seconds(1))
                #expect(try await dark.size == PixelSize(64, 48))
                async let refused = refusal { try await session.still(of: plain, flash: .on) }
                try await rig.deliver([0: 20, 1: 20], for: .seconds(1))
                #expect(await refused?.contains("neither a flash nor a torch") == true)
            }
        }
    }

    @Test("a producer without a picture is refused with the reason")
    func refused() async throws {
        let (picture, other) = (PatternSource(.bars, size: smallSize), PatternSource(.bars, size: smallSize))
        picture --> NullSink(.nv12)
        other --> NullSink(.nv12)
        let session = try await Session(picture, options: .live(30))
        #expect(await refusal { try await session.still(of: picture) }?.contains("does not run") == true)
        let run = started(session)
        _ = await waitUntil { session.statistics.output.frames > 0 }
        #expect(await refusal { try await session.still(of: other) }?.contains("not in this session") == true)
        #expect(await refusal { try await session.still(of: picture) } == nil)
        session.stop()
        #expect(await run.value == nil)
        #expect(await refusal { try await session.still(of: picture) }?.contains("does not run") == true)
    }

    @Test("a picture that cannot be encoded is refused with the name of its node")
    func unencodable() {
        let layout = FrameLayout(.rgba, PixelSize(2, 2))
        let frame = Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: FrameBuffer(layout))
        let error = #expect(throws: SessionError.self) {
            try Still(frame, of: "the inset", as: .jpeg(quality: 90), cameras: [], age: .zero)
        }
        #expect(error?.description.hasPrefix("no picture of the inset: JPEG: ") == true, "\(String(describing: error))")
    }

    private func refusal(_ take: () async throws -> Still) async -> String? {
        do { _ = try await take() } catch { return "\(error)" }
        return nil
    }

    @Test("a camera without frames gives no still, and the time limit holds")
    func silent() async throws {
        let error = try await VirtualTime.run { clock, _ in
            let rig = VirtualRig(clock, cameras: 2)
            let (main, silent) = (
                CameraSource(.path(VirtualRig.path(0))), CameraSource(.path(VirtualRig.path(1)))
            )
            let picture = Compositor(canvas: smallSize) {
                Layer(main)
                Layer(silent).whenMissing(.hide)
            }
            picture --> NullSink(.nv12)
            let session = try await Session(picture, options: rig.options(), cameras: rig.cameras)
            var result: SessionError?
            try await rig.running(session) {
                try await rig.deliver([0: 90], for: .seconds(1))
                async let still = session.still(of: silent, within: .seconds(3))
                try await rig.deliver([0: 90], for: .seconds(4))
                do { _ = try await still } catch { result = error as? SessionError }
            }
            return result
        }
        guard case .noPicture(_, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("no frame came within 3"))
    }

    @Test("each still has its own file if its name has fields, and otherwise replaces the previous one")
    func files() async throws {
        let picture = PatternSource(.bars, size: smallSize)
        picture --> NullSink(.nv12)
        let session = try await Session(picture, options: .live(30))
        let run = started(session)
        _ = await waitUntil { session.statistics.output.frames > 0 }
        let still = try await session.still(of: picture)
        session.stop()
        #expect(await run.value == nil)
        #expect(try still.write(to: folder.path("new/s.jpg")) == folder.path("new/s.jpg"))
        #expect(try still.write(to: folder.path("new/s.jpg")) == folder.path("new/s.jpg"))
        #expect(try still.write(to: folder.path("n%03d.jpg")) == folder.path("n001.jpg"))
        #expect(try still.write(to: folder.path("n%03d.jpg")) == folder.path("n002.jpg"))
        let first = try still.write(to: folder.path("t%Y.jpg"))
        #expect(try still.write(to: folder.path("t%Y.jpg")) == first.dropLast(4) + "-2.jpg")
        #expect(try folder.read("n001.jpg") == still.bytes)
        #expect(throws: SessionError.self) { try still.write(to: folder.path("a/b/c.jpg")) }
        #expect(throws: SessionError.self) { try still.write(to: folder.path("new")) }
        #expect(throws: SessionError.self) { try Still.check("%Q.jpg") }
        // No partly written file remains.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("new")) == ["s.jpg"])
    }
}
