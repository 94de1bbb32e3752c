import PipCapture
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCompose

@Suite("Cameras relieved under pressure", .serialized, .timeLimit(.minutes(5)))
struct ReliefTests {
    private static let path = "/dev/video0"
    private let kernel = FakeKernel()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let sizes = FakeCamera.Sizes.discrete([PixelSize(1280, 720), PixelSize(640, 480), PixelSize(320, 240)])
        kernel.add(Self.path, FakeCamera(formats: [.init("NV12", sizes: sizes)]))
    }

    /// A session with a camera as the inset of a still picture, under a policy with one mitigation.
    private func session(_ mitigation: PressureMitigation, _ camera: CameraSource) async throws -> Session {
        let still = try folder.gray(50)
        let picture = Compositor(canvas: smallSize) {
            Layer(still)
            Layer(camera).placed(x: 32, y: 0, width: 32, height: 24)
        }
        picture --> NullSink(.nv12)
        var timing = PressureTiming()
        (timing.dwell, timing.restoreInterval, timing.cameraHold) = (.zero, .zero, .zero)
        (timing.relapseWindow, timing.relapseHold) = (.zero, .zero)
        let policy = try PressurePolicy(steps: [PressureStep(at: .critical, mitigation)], timing: timing)
        var options = SessionOptions.pinned(.nominal, policy)
        options.patience = .milliseconds(50)
        options.pressure.cameraRetryInterval = .milliseconds(50)
        return try await Session(picture, options: options, cameras: CameraDirectory(calls: kernel))
    }

    @Test("a camera that cannot be enabled after the pressure is tried again, which is reported once")
    func switchedOnLater() async throws {
        let camera = CameraSource(.path(Self.path), wish: CameraWish(size: PixelSize(320, 240)))
        let session = try await session(.insetOff, camera)
        func state() -> CameraState? { session.statistics.sources.first { $0.kind == .camera }?.state }
        _ = try await running(session) {
            #expect(await waitUntil { state() == .streaming })
            await session.pinPressure(.critical)
            #expect(await waitUntil { state() == .disabled })
            kernel.fail(.streamOn, on: Self.path, with: .noSpace, times: 2)
            await session.pinPressure(.nominal)
            #expect(await waitUntil { state() == .streaming })
        }
        let refusals = await events(of: session).filter { if case .cameraLimitRefused = $0 { true } else { false } }
        #expect(refusals.count == 1, "\(refusals)")
        #expect(refusals.first?.description.hasPrefix("a camera does not follow the pressure policy: ") == true)
    }

    @Test("a mode that is set while pressure limits the size takes effect once the limit is gone")
    func modeUnderLimit() async throws {
        let camera = CameraSource(.path(Self.path), wish: CameraWish(size: PixelSize(640, 480)))
        let session = try await session(.insetResolution(PixelSize(320, 240)), camera)
        _ = try await running(session) {
            #expect(
                await waitUntil { kernel.size(of: Self.path) == PixelSize(640, 480) && kernel.isStreaming(Self.path) })
            await session.pinPressure(.critical)
            #expect(await waitUntil { kernel.size(of: Self.path) == PixelSize(320, 240) })
            try await session.setMode(CameraWish(size: .hd720), of: camera)
            #expect(kernel.size(of: Self.path) == PixelSize(320, 240))
            await session.pinPressure(.nominal)
            #expect(await waitUntil { kernel.size(of: Self.path) == .hd720 })
            // A later restore uses the newest requested mode, not the mode before the first limit.
            try await session.setMode(CameraWish(size: PixelSize(640, 480)), of: camera)
            await session.pinPressure(.critical)
            #expect(await waitUntil { kernel.size(of: Self.path) == PixelSize(320, 240) })
            await session.pinPressure(.nominal)
            #expect(await waitUntil { kernel.size(of: Self.path) == PixelSize(640, 480) })
        }
    }
}
