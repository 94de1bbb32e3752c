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

    /// Waits until the camera streams: before, its frames are lost.
    func streams(in session: Session) async -> Bool {
        await waitUntil { session.statistics.sources.contains { $0.state == .streaming } }
    }

    func produce(_ code: UInt8) {
        kernel.advance(by: .milliseconds(33))
        kernel.produce(Self.path, FakeFrame(.fill(code)))
        // Else a frame could find no free buffer.
        kernel.settle()
    }

    /// Unplugs the camera, and waits until a session knows.
    func vanishes(in session: Session) async -> Bool {
        kernel.unplug(Self.path)
        return await waitUntil { session.statistics.sources.contains { $0.state == .lost } }
    }

    /// The camera as an inset in the right upper quarter of a grey picture.
    func inset(_ policy: AbsencePolicy, in folder: TemporaryFolder) throws -> Compositor {
        let still = try folder.gray(50)
        return Compositor(canvas: smallSize) {
            Layer(still)
            Layer(source).placed(x: 32, y: 0, width: 32, height: 24).whenMissing(policy)
        }
    }

    /// Runs a session with the camera while a test watches its frames, from when the camera streams; it is over on
    /// return.
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
    /// Lets cameras deliver frames of one code each, all the time, while something is done.
    func delivering(_ codes: [(path: String, code: UInt8)], while body: () async throws -> Void) async rethrows {
        let isOver = SignalCounter()
        async let _: Void = {
            while isOver.value == 0 {
                advance(by: .milliseconds(5))
                for (path, code) in codes { produce(path, FakeFrame(.fill(code))) }
                // However slow the machine is, each finds a free buffer.
                settle()
                try? await Task.sleep(for: .milliseconds(2))
            }
        }()
        defer { isOver.signal() }
        try await body()
    }
}
