#if Media
import PipCapture
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCompose
@testable import PipMedia

/// A scripted camera whose pictures differ, with a session that records it.
struct RecordingRig {
    static let path = "/dev/video0"
    static let size = PixelSize(64, 48)
    let kernel = FakeKernel()
    let camera = CameraSource(.path(RecordingRig.path))
    let folder: TemporaryFolder

    init(_ format: String = "MJPG", _ size: PixelSize = RecordingRig.size) throws {
        folder = try TemporaryFolder()
        plugIn(format, size)
    }

    func plugIn(_ format: String = "MJPG", _ size: PixelSize = RecordingRig.size) {
        kernel.add(Self.path, FakeCamera(formats: [FakeCamera.Format(format, size.width, size.height)]))
    }

    /// Runs a session with the camera while `body` runs.
    func run(drawing: Bool = true, _ body: (Session) async throws -> Void) async throws -> Session {
        let picture = Compositor(canvas: Self.size) { Layer(camera) }
        if drawing { picture --> NullSink() }
        var options = SessionOptions()
        options.decodeCameraVideo()
        // The session composes fewer frames than the camera delivers, to tell composed frames from the camera's.
        options.clock = .rate(FrameRate(10))
        options.pressure.policy = .off
        options.closingTime = .seconds(60)
        let session = try await Session(picture, options: options, cameras: CameraDirectory(calls: kernel))
        async let running: Void = session.run()
        #expect(await becomes { session.statistics.sources.contains { $0.state == .streaming } })
        do { try await body(session) } catch {
            session.stop()
            throw error
        }
        session.stop()
        try await running
        return session
    }

    /// Makes the camera deliver frames at uneven intervals.
    ///
    /// - Returns: The driver's timestamps.
    func deliver(_ frames: [FakeFrame]) -> [Timestamp] {
        frames.enumerated().map { index, frame in
            kernel.advance(by: .microseconds(33_333 + index % 5 * 1717))
            var frame = frame
            frame.timestamp = kernel.now
            kernel.produce(Self.path, frame)
            kernel.settle()
            return frame.timestamp ?? .zero
        }
    }

    /// Sets the driver's clock to the machine's clock, which microphones use.
    ///
    /// The camera is silent meanwhile, so the camera restarts before it delivers again.
    func goByMachineTime() {
        kernel.advance(by: kernel.now.duration(to: MonotonicClock().now))
        kernel.settle()
    }

    /// Unplugs the camera, and plugs it in again four seconds later.
    func replug(_ format: String = "MJPG", _ size: PixelSize = Self.size, in session: Session) async {
        kernel.unplug(Self.path)
        #expect(await becomes { session.statistics.sources.contains { $0.state == .lost } })
        kernel.advance(by: .seconds(4))
        plugIn(format, size)
        #expect(
            await becomes {
                kernel.advance(by: .milliseconds(20))
                return session.statistics.sources.contains { $0.state == .streaming }
            })
    }

    /// Returns the JPEG pictures of a file, byte for byte.
    func pictures(of name: String) throws -> [[UInt8]] {
        try runProgram([
            "ffmpeg", "-v", "error", "-i", folder.path(name), "-c", "copy", "-f", "image2",
            folder.path("\(name)-%05d.jpg"),
        ])
        return try folder.names.filter { $0.hasPrefix("\(name)-") }.sorted().map { try folder.read($0) }
    }

    /// Makes JPEG pictures of different colours and lengths.
    static func pictures(_ count: Int, from first: Int = 0, _ size: PixelSize = size) -> [[UInt8]] {
        (first..<first + count).map { (number: Int) -> [UInt8] in
            TestJPEG.encode(
                size, .s422, luma: { (x: Int, y: Int) -> UInt8 in UInt8((x * (number % 7) + y + number * 5) % 250) },
                chroma: { _, _ in (UInt8(number % 200), 100) })
        }
    }
}

/// Returns the seconds from the first time to each time.
func offsets(_ times: [Timestamp]) -> [Double] {
    times.map { (times.first ?? .zero).duration(to: $0).inSeconds }
}
#endif
