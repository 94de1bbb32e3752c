import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

/// Tests the capture code with random drivers: complete ones, incomplete ones, and ones that lie.
@Suite("A driver of any kind", .serialized, .timeLimit(.minutes(5)))
struct RandomDriverTests {
    private static let path = "/dev/video0"
    private static let parts = 16

    @Test(
        "no random driver causes a crash, a hang, a call with arguments that it has excluded, or an open descriptor",
        arguments: 0..<parts)
    func any(part: Int) async {
        for seed in stride(from: part, to: 10_000, by: Self.parts) {
            await Self.run(seed)
            // Lets other tests run between two drivers.
            await Task.yield()
        }
    }

    /// Performs all operations on one driver; only some drivers stream.
    private static func run(_ seed: Int) async {
        var random = RandomCamera(seed)
        let fake = random.camera()
        let failure = random.failure()
        let judge = CallJudge(fake, losesLists: failure?.request == .enumerateSizes)
        let kernel = FakeKernel()
        kernel.add(path, fake)
        unsafe kernel.observe { unsafe judge.judge($0, $1) }
        if let failure {
            kernel.fail(failure.request, on: path, with: failure.errno, skip: failure.skip, times: failure.times)
        }
        await ask(&random, kernel, fake)
        #expect(judge.offences.isEmpty, "seed \(seed): \(judge.offences)")
        #expect(kernel.openDescriptorCount == 0 && kernel.mappingCount == 0, "seed \(seed)")
    }

    private static func ask(_ random: inout RandomCamera, _ kernel: FakeKernel, _ fake: FakeCamera) async {
        let directory = CameraDirectory(calls: kernel)
        guard let device = try? directory.inspect(path) else { return }
        let modes = (try? directory.modes(of: device)) ?? []
        for preset in CameraPreset.allCases { _ = preset.isOffered(by: modes) }
        if let controls = try? directory.controls(of: device) { _ = AdjustmentSupport(controls) }
        for _ in 0..<random.number(1...2) {
            guard let camera = try? Camera(device, wish: random.wish(fake), calls: kernel) else { continue }
            _ = try? camera.check(random.wish(fake))
            _ = try? camera.set(random.settings(fake))
            _ = try? camera.adjust(random.adjustments())
            _ = try? camera.check(random.adjustments(), random.adjustments(), random.settings(fake)).set()
            _ = camera.lighterWish
            // Streaming starts threads, which takes long, so only few drivers stream.
            guard random.isOneOf(16), camera.format.mode.size.area < 1 << 20 else { continue }
            await stream(camera, kernel)
        }
    }

    private static func stream(_ camera: Camera, _ kernel: FakeKernel) async {
        guard (try? camera.start()) != nil else { return }
        for _ in 0..<3 {
            kernel.advance(by: .milliseconds(33))
            kernel.produce(path)
            kernel.settle()
        }
        await camera.stop()
    }
}
