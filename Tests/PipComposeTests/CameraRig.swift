import PipCapture
import PipTestSupport
import Testing

@testable import PipCompose

/// A scripted camera of 64×48 NV12 for sessions.
struct CameraRig {
    static let path = "/dev/video0"
    let kernel = FakeKernel()
    let source: CameraSource
    var cameras: CameraDirectory { CameraDirectory(calls: kernel) }

    init(isThere: Bool = true) {
        if isThere { kernel.add(Self.path, FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)])) }
        source = CameraSource(.path(Self.path))
    }

    /// Waits until the camera streams: frames that it delivers earlier are lost.
    func streams(in session: Session) async -> Bool {
        await waitUntil { session.statistics.sources.contains { $0.state == .streaming } }
    }

    func produce(_ code: UInt8) {
        kernel.advance(by: .milliseconds(33))
        kernel.produce(Self.path, FakeFrame(.fill(code)))
        // Waits until the threads have taken the frame, because the next frame needs a free buffer.
        kernel.settle()
    }

    /// Unplugs the camera, and waits until the session reports it as lost.
    func vanishes(in session: Session) async -> Bool {
        kernel.unplug(Self.path)
        return await waitUntil { session.statistics.sources.contains { $0.state == .lost } }
    }

    /// A grey picture with the camera as an inset in its upper right quarter.
    func inset(_ policy: AbsencePolicy, in folder: TemporaryFolder) throws -> Compositor {
        let still = try folder.gray(50)
        return Compositor(canvas: smallSize) {
            Layer(still)
            Layer(source).placed(x: 32, y: 0, width: 32, height: 24).whenMissing(policy)
        }
    }

    /// Runs a session while `body` reads frames from the start of the camera's stream on, and then stops the session.
    @discardableResult func watched(
        _ producer: some FrameProducer, _ options: SessionOptions = .live(),
        _ body: (Session, inout FrameStream.AsyncIterator) async throws -> Void
    ) async throws -> Session {
        let tap = FrameTap(.nv12)
        producer --> tap
        let session = try await Session(producer, options: options, cameras: cameras)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            #expect(await streams(in: session))
            try await body(session, &frames)
        }
        return session
    }
}

extension FakeKernel {
    /// Lets cameras deliver frames of one luma code each all the time while `body` runs.
    func delivering(_ codes: [(path: String, code: UInt8)], while body: () async throws -> Void) async rethrows {
        let isOver = SignalCounter()
        async let _: Void = {
            while isOver.value == 0 {
                advance(by: .milliseconds(5))
                for (path, code) in codes { produce(path, FakeFrame(.fill(code))) }
                // Waits until the threads have taken the frames, so that each next frame finds a free buffer.
                settle()
                try? await Task.sleep(for: .milliseconds(2))
            }
        }()
        defer { isOver.signal() }
        try await body()
    }
}
