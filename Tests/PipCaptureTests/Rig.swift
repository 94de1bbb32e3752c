import PipCapture
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

/// An opened scripted camera.
struct Rig {
    static let path = "/dev/video0"

    let kernel: FakeKernel
    let camera: Camera
    let events = EventRecorder()
    let signals = SignalCounter()

    init(
        _ fake: FakeCamera = FakeCamera(), wish: CameraWish = CameraWish(), kernel: FakeKernel = FakeKernel()
    )
        throws
    {
        self.kernel = kernel
        kernel.add(Self.path, fake)
        let device = try CameraDirectory(calls: kernel).camera(matching: .path(Self.path))
        _ = kernel.takeTrace(of: Self.path)
        camera = try Camera(device, wish: wish, calls: kernel, onEvent: events.report)
    }

    func start() throws {
        try camera.start { [signals] in signals.signal() }
    }

    /// Delivers frames, and advances the clock by 33 ms before each frame.
    func produce(_ frames: FakeFrame...) {
        for frame in frames {
            kernel.advance(by: .milliseconds(33))
            kernel.produce(Self.path, frame)
            kernel.settle()
        }
    }

    /// Yields until a condition holds, for 60 seconds at most.
    func waitUntil(_ condition: (Camera) -> Bool) async -> Bool {
        let end = MonotonicClock().now.advanced(by: .seconds(60))
        while MonotonicClock().now < end {
            if condition(camera) { return true }
            await Task.yield()
        }
        return false
    }

    func take() throws -> Frame { try #require(camera.frames.take()) }

    /// The first `count` bytes of a plane.
    static func bytes(_ frame: Frame, plane: Int = 0, count: Int) -> [UInt8] {
        frame.withPlane(plane) { bytes, _ in
            (0..<count).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
    }
}
