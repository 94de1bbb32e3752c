import CV4L2
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipCapture
@testable import PipCompose

@Suite("Cameras within a session's transaction", .serialized, .timeLimit(.minutes(2)))
struct CameraTransactionSessionTests {
    struct Mistake: Error {}

    static let second = "/dev/video1"
    static let brightness = UInt32(V4L2_CID_BRIGHTNESS)
    static let exposure = UInt32(V4L2_CID_EXPOSURE_ABSOLUTE)
    static let sizes = [PixelSize(64, 48), PixelSize(32, 24)]

    let rig = CameraRig(isThere: false)
    let inset = CameraSource(.path(second), wish: CameraWish(size: sizes[0]))
    let main = CameraSource(.path(CameraRig.path), wish: CameraWish(size: sizes[0]))

    init() {
        for (path, bus) in [(CameraRig.path, "usb-0000:00:14.0-1"), (Self.second, "usb-0000:00:14.0-7")] {
            var camera = FakeCamera(formats: [FakeCamera.Format("NV12", sizes: .discrete(Self.sizes))])
            camera.busInfo = bus
            camera.controls = [
                FakeCamera.Control(Self.brightness, "Brightness"),
                FakeCamera.Control(Self.exposure, "Exposure Time, Absolute", V4L2_CTRL_TYPE_INTEGER, 3...2047),
            ]
            rig.kernel.add(path, camera)
        }
    }

    /// Runs a session with both cameras while `body` runs.
    func run(_ body: (Session, Compositor) async throws -> Void) async throws {
        let picture = Compositor(canvas: smallSize) {
            Layer(main)
            Layer(inset).placed(x: 32, y: 0, width: 32, height: 24)
        }
        picture --> FrameTap(.nv12)
        let session = try await Session(picture, options: .live(), cameras: rig.cameras)
        _ = try await running(session) {
            try await rig.kernel.delivering([(CameraRig.path, 50), (Self.second, 90)]) {
                #expect(await waitUntil { session.statistics.sources.allSatisfy { $0.used > 0 } })
                try await body(session, picture)
            }
        }
    }

    @Test("S02: modes, controls, enabling and layers change together, and the handles have the new values")
    func together() async throws {
        try await run { session, picture in
            try await session.configure {
                main.wish.size = Self.sizes[1]
                inset.wish.controls = [("brightness", 42)]
                try picture.swap(picture.layers[0], picture.layers[1])
            }
            #expect(main.wish.size == Self.sizes[1])
            #expect(
                rig.kernel.size(of: CameraRig.path) == Self.sizes[1]
                    && rig.kernel.size(of: Self.second) == Self.sizes[0])
            #expect(rig.kernel.controlValue(Self.brightness, of: Self.second) == 42)
            try await session.configure { inset.isEnabled = false }
            #expect(session.statistics.sources[1].state == .disabled)
        }
    }

    @Test("O06, O14: a camera's new rotation is drawn, and points map to its sensor and back")
    func rotation() async throws {
        try await run { session, picture in
            let before = try #require(session.layer(atX: 12, y: 8, of: picture))
            try await session.configure { main.wish.rotation = .fixed(Orientation(quarterTurns: 2)) }
            let isTurned = await waitUntil {
                guard let hit = session.layer(atX: 12, y: 8, of: picture) else { return false }
                return abs(hit.x - (1 - before.x)) < 1e-9 && abs(hit.y - (1 - before.y)) < 1e-9
            }
            #expect(isTurned)
            let hit = try #require(session.layer(atX: 12, y: 8, of: picture))
            let back = try #require(session.points(ofX: hit.x, y: hit.y, in: main, on: picture).last)
            #expect(back.layer == hit.layer && abs(back.x - 12) < 1e-6 && abs(back.y - 8) < 1e-6)
            // A quarter turn exchanges width and height.
            try await session.configure { main.wish.rotation = .fixed(Orientation(quarterTurns: 1)) }
            let content = await waitUntil {
                picture.layers.first.flatMap { session.place(of: $0)?.content } == PixelSize(48, 64)
            }
            #expect(content)
        }
    }

    @Test(
        "S14: cameras are opened and started at the same time, on no thread of the cooperative pool",
        arguments: ["VIDIOC_S_FMT", "VIDIOC_STREAMON"])
    func concurrently(call: String) async throws {
        for path in [CameraRig.path, Self.second] { rig.kernel.hang(call, on: path) }
        let kernel = rig.kernel
        let watch: @Sendable () -> Bool = {
            let areBothCalled = kernel.waitForHanging(2)
            for path in [CameraRig.path, Self.second] { kernel.release(path) }
            return areBothCalled
        }
        let releasing = Task { await WorkerThread.run(name: "watch", clock: kernel.clock, [watch]) }
        try await run { session, _ in
            #expect(session.statistics.sources.map(\.device) == [CameraRig.path, Self.second])
        }
        #expect(await releasing.value == [true], "one after the other")
    }

    @Test("S14: of two sources that mean the same camera, the first gets it")
    func sameCamera() async throws {
        for _ in 0..<10 {
            let first = CameraSource(.path(CameraRig.path))
            let error = await #expect(throws: SessionError.self) {
                let picture = Compositor(canvas: smallSize) {
                    Layer(first)
                    Layer(CameraSource(.index(0)))
                }
                picture --> FrameTap(.nv12)
                _ = try await Session(picture, options: .live(), cameras: rig.cameras)
            }
            let sentence = error.map { "\($0)" } ?? ""
            #expect(sentence.contains("another source of this program uses the camera"), "\(sentence)")
            #expect(rig.kernel.openDescriptorCount == 0)
        }
    }

    @Test("S02: a setting that one camera refuses leaves cameras, layers and handles as they were")
    func refused() async throws {
        try await run { session, picture in
            let layers = picture.layers.map { $0.record?.input }
            let error = await #expect(throws: SessionError.self) {
                try await session.configure {
                    main.wish.size = Self.sizes[1]
                    inset.wish.controls = [("brightness", 420)]
                    try picture.swap(picture.layers[0], picture.layers[1])
                }
            }
            #expect(error?.description.contains("cannot set brightness to 420") == true)
            #expect(main.wish.size == Self.sizes[0] && inset.wish.controls.isEmpty)
            #expect(rig.kernel.size(of: CameraRig.path) == Self.sizes[0])
            #expect(picture.layers.map { $0.record?.input } == layers)
            // The refused change does not affect the next one.
            try await session.configure { main.wish.controls = [("brightness", 7)] }
            #expect(rig.kernel.controlValue(Self.brightness, of: CameraRig.path) == 7)
            #expect(rig.kernel.size(of: CameraRig.path) == Self.sizes[0])
        }
    }

    @Test("S02: a picture that cannot be drawn takes the cameras' changes back")
    func undrawable() async throws {
        try await run { session, picture in
            await #expect(throws: SessionError.self) {
                try await session.configure {
                    main.wish.size = Self.sizes[1]
                    main.wish.controls = [("brightness", 9)]
                    _ = picture --> Y4MFile("/nowhere/at/all.y4m")
                }
            }
            #expect(rig.kernel.size(of: CameraRig.path) == Self.sizes[0] && main.wish.size == Self.sizes[0])
            #expect(rig.kernel.controlValue(Self.brightness, of: CameraRig.path) == 0)
        }
    }

    @Test("S02: in nested transactions, only the outermost makes the changes, once")
    func nested() async throws {
        try await run { session, picture in
            _ = rig.kernel.takeTrace(of: CameraRig.path)
            try await session.transaction {
                try await session.setMode(CameraWish(size: Self.sizes[1]), of: main)
                try await session.transaction {
                    try await session.setEnabled(false, inset)
                    main.wish.controls = [("brightness", 8)]
                }
                // An inner transaction that fails is left out.
                await #expect(throws: Mistake.self) {
                    try await session.configure {
                        main.wish.size = PixelSize(16, 16)
                        throw Mistake()
                    }
                }
                #expect(main.wish.size == Self.sizes[1])
                #expect(!rig.kernel.takeTrace(of: CameraRig.path).contains { $0.hasPrefix("VIDIOC_S") })
                #expect(session.statistics.sources[1].state == .streaming)
            }
            let calls = rig.kernel.takeTrace(of: CameraRig.path)
            #expect(calls.filter { $0 == "VIDIOC_S_FMT" }.count == 1)
            #expect(rig.kernel.size(of: CameraRig.path) == Self.sizes[1])
            #expect(rig.kernel.controlValue(Self.brightness, of: CameraRig.path) == 8)
            #expect(session.statistics.sources[1].state == .disabled)
        }
    }

    @Test("outside a transaction, a camera keeps its settings when it refuses a new one, and an event says so")
    func withoutTransaction() async throws {
        try await run { session, _ in
            main.wish.controls = [("brightness", 420)]
            #expect(await waitUntil { main.wish.controls.isEmpty })
            inset.wish.controls = [("brightness", 21)]
            #expect(await waitUntil { rig.kernel.controlValue(Self.brightness, of: Self.second) == 21 })
        }
    }

    @Test("a temporary adjustment survives a transaction that does not set it")
    func beside() async throws {
        try await run { session, _ in
            try await session.setControl("brightness", to: 33, of: main)
            try await session.configure { main.wish.size = Self.sizes[1] }
            #expect(rig.kernel.controlValue(Self.brightness, of: CameraRig.path) == 33)
        }
    }
}
