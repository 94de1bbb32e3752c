import CV4L2
import PipCapture
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Cameras with matched exposure and white balance", .serialized, .timeLimit(.minutes(5)))
struct CameraMatchingTests {
    private static let exposureAuto = UInt32(V4L2_CID_EXPOSURE_AUTO)
    private static let exposure = UInt32(V4L2_CID_EXPOSURE_ABSOLUTE)
    private static let whiteAuto = UInt32(V4L2_CID_AUTO_WHITE_BALANCE)
    private static let white = UInt32(V4L2_CID_WHITE_BALANCE_TEMPERATURE)
    private static let paths = ["/dev/video0", "/dev/video1", "/dev/video2"]

    private let kernel = FakeKernel()

    /// Adds a camera that has settled on an exposure and, unless `white` is nil, on a white balance.
    private func add(_ path: String, exposure: Int, white: Int?) {
        var camera = FakeCamera(formats: [.init("NV12", 64, 48)])
        var automatic = FakeCamera.Control(Self.exposureAuto, "Auto Exposure", V4L2_CTRL_TYPE_MENU, 0...3, value: 3)
        automatic.menu = [1: "Manual Mode", 3: "Aperture Priority Mode"]
        camera.controls = [
            automatic,
            .init(Self.exposure, "Exposure Time, Absolute", V4L2_CTRL_TYPE_INTEGER, 3...2047, value: exposure),
        ]
        if let white {
            var temperature = FakeCamera.Control(
                Self.white, "White Balance Temperature", V4L2_CTRL_TYPE_INTEGER, 2800...6500, value: white)
            temperature.step = 100
            camera.controls += [
                .init(Self.whiteAuto, "White Balance, Automatic", V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: 1), temperature,
            ]
        }
        kernel.add(path, camera)
    }

    private func value(_ id: UInt32, _ camera: Int) -> Int? { kernel.controlValue(id, of: Self.paths[camera]) }

    /// Runs two cameras until a condition holds.
    private func run(
        _ matching: CameraMatching, act: (Session, CameraSource) async throws -> Void = { _, _ in },
        until isDone: () -> Bool
    ) async throws -> [SessionEvent] {
        let (main, inset) = (CameraSource(.path(Self.paths[0])), CameraSource(.path(Self.paths[1])))
        let picture = Compositor(canvas: smallSize) {
            Layer(main)
            Layer(inset).placed(x: 32, y: 0, width: 32, height: 24)
        }
        picture --> NullSink(.nv12)
        var options = SessionOptions.live(patience: .milliseconds(50))
        options.cameraMatching = matching
        options.startsWithoutCameras = true
        options.matchingInterval = .milliseconds(5)
        let session = try await Session(picture, options: options, cameras: CameraDirectory(calls: kernel))
        _ = try await running(session) {
            try await kernel.delivering(Self.paths.map { ($0, 50) }) {
                try await act(session, inset)
                #expect(await waitUntil(isDone))
            }
        }
        return await events(of: session)
    }

    @Test("with lock, each camera keeps its settled values until the session ends")
    func locks() async throws {
        add(Self.paths[0], exposure: 156, white: 4600)
        add(Self.paths[1], exposure: 312, white: 5200)
        _ = try await run(.lock) {
            [0, 1].allSatisfy { value(Self.exposureAuto, $0) == 1 && value(Self.whiteAuto, $0) == 0 }
        }
        #expect([value(Self.exposure, 0), value(Self.exposure, 1)] == [156, 312])
        #expect([value(Self.white, 0), value(Self.white, 1)] == [4600, 5200])
        // The session restores the automatic modes at its end.
        #expect([0, 1].map { value(Self.exposureAuto, $0) } == [3, 3])
        #expect([0, 1].map { value(Self.whiteAuto, $0) } == [1, 1])
    }

    @Test("with copy, the inset gets the main camera's values as nearly as possible")
    func copies() async throws {
        add(Self.paths[0], exposure: 156, white: 4630)
        add(Self.paths[1], exposure: 312, white: 5200)
        let events = try await run(.copy) { value(Self.exposure, 1) == 156 && value(Self.white, 1) == 4600 }
        #expect(value(Self.exposure, 0) == 156)
        let matched = events.compactMap {
            if case .cameraMatched(let name, let controls) = $0 { (name, controls) } else { nil }
        }
        #expect(matched.map(\.0) == Array(Self.paths.prefix(2)))
        #expect(matched.last?.1 == ["exposure_time_absolute=156", "white_balance_temperature=4600"])
    }

    @Test("a value that a camera cannot keep is reported by name, and the other values are set")
    func lacking() async throws {
        add(Self.paths[0], exposure: 156, white: 4600)
        add(Self.paths[1], exposure: 312, white: nil)
        let events = try await run(.copy) { value(Self.exposure, 1) == 156 }
        let refused = events.compactMap { if case .matchingRefused(let error) = $0 { "\(error)" } else { nil } }
        #expect(refused == ["/dev/video1: cannot keep its white balance: the camera has no control for this setting"])
    }

    @Test("a camera that is plugged in later gets the values, too, without an earlier report")
    func later() async throws {
        add(Self.paths[0], exposure: 156, white: 4600)
        let events = try await run(.copy) { _, _ in
            #expect(await waitUntil { value(Self.exposureAuto, 0) == 1 })
            add(Self.paths[1], exposure: 312, white: 5200)
        } until: {
            value(Self.exposure, 1) == 156 && value(Self.white, 1) == 4600
        }
        let words = events.compactMap { event -> String? in
            switch event {
            case .cameraMatched(let name, _): "matched \(name)"
            case .matchingRefused(let error): "refused \(error)"
            default: nil
            }
        }
        #expect(words == Self.paths.prefix(2).map { "matched \($0)" })
    }

    @Test("a camera that replaces another keeps its own settled values")
    func replaced() async throws {
        for (path, exposure) in zip(Self.paths, [156, 312, 99]) { add(path, exposure: exposure, white: 4600) }
        _ = try await run(.lock) { session, inset in
            #expect(await waitUntil { value(Self.exposureAuto, 1) == 1 })
            try await session.switchCamera(inset, to: .path(Self.paths[2]))
        } until: {
            value(Self.exposureAuto, 2) == 1
        }
        #expect(value(Self.exposure, 2) == 99)
    }
}
