import PipCapture
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Drivers that hang", .serialized, .timeLimit(.minutes(5)))
struct HungDriverTests {
    private let kernel = FakeKernel()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A session with some cameras as insets of a still picture.
    private func session(cameras: Int, ends: Bool) async throws -> Session {
        let paths = (0..<cameras).map { "/dev/video\($0)" }
        for path in paths { kernel.add(path, FakeCamera(formats: [.init("NV12", 64, 48)])) }
        let still = try folder.gray(50)
        let picture = Compositor(canvas: smallSize) {
            Layer(still)
            for path in paths { Layer(CameraSource(.path(path))).placed(x: 32, y: 0, width: 32, height: 24) }
        }
        picture --> RawFile(folder.path("out.nv12"), format: .nv12)
        var options = SessionOptions.live(patience: .milliseconds(50))
        options.endsWithHungDrivers = ends
        return try await Session(picture, options: options, cameras: CameraDirectory(calls: kernel))
    }

    private func streams(_ session: Session) async -> Bool {
        await waitUntil { session.statistics.sources.allSatisfy { $0.kind != .camera || $0.state == .streaming } }
    }

    /// Unplugs cameras whose drivers hang while closing, and waits until `total` cameras in all are lost or closed.
    private func hang(_ paths: [String], _ session: Session, total: Int) async {
        for path in paths {
            kernel.hang("close", on: path)
            kernel.unplug(path)
        }
        let areLost = await waitUntil {
            kernel.advance(by: .milliseconds(20))
            return session.statistics.sources.filter { $0.state == .lost || $0.state == .closed }.count >= total
        }
        #expect(areLost)
    }

    @Test("row 7: at the second driver that hangs, a service ends with an error message, and its file is complete")
    func endsService() async throws {
        let session = try await session(cameras: 2, ends: true)
        let run = started(session)
        #expect(await streams(session))
        await hang(["/dev/video0"], session, total: 1)
        let frames = session.statistics.output.frames
        #expect(await waitUntil { session.statistics.output.frames > frames + 5 }, "one is no reason to end")
        await hang(["/dev/video1"], session, total: 2)
        let error = await run.value
        guard case .camera(let trouble)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(trouble.kind == .hanging)
        #expect("\(trouble)".contains("2 calls of drivers have not returned"))
        let bytes = try folder.read("out.nv12").count
        #expect(bytes > 0 && bytes % (64 * 72) == 0)
        kernel.release("/dev/video0")
        kernel.release("/dev/video1")
        #expect(kernel.waitUntilClosed())
    }

    @Test("row 7: without a service manager, a session reports the drivers that hang, and continues")
    func goesOn() async throws {
        let session = try await session(cameras: 2, ends: false)
        let (_, error) = try await running(session) {
            #expect(await streams(session))
            await hang(["/dev/video0", "/dev/video1"], session, total: 2)
            let frames = session.statistics.output.frames
            #expect(await waitUntil { session.statistics.output.frames > frames + 10 })
            kernel.release("/dev/video0")
            kernel.release("/dev/video1")
        }
        #expect(error == nil)
        let told = await events(of: session).filter { if case .driversHang = $0 { true } else { false } }
        #expect(told.count == 1)
    }

    @Test("row 7: a session's end waits for all drivers that hang at the same time, not one after another")
    func closesTogether() async throws {
        let session = try await session(cameras: 4, ends: true)
        let run = started(session)
        #expect(await streams(session))
        for index in 0..<4 { kernel.hang("VIDIOC_STREAMOFF", on: "/dev/video\(index)") }
        let start = MonotonicClock().now
        session.stop()
        // A driver that hangs at the end does not make the run fail.
        #expect(await run.value == nil)
        let took = start.duration(to: MonotonicClock().now)
        // Waiting for the drivers one after another would take longer.
        #expect(took < .seconds(5), "\(took)")
        FaultReport.record(
            row: 7, figures: "four that hang: closed after \((took.inSeconds * 10).rounded() / 10) s", on: .fake)
        for index in 0..<4 { kernel.release("/dev/video\(index)") }
        #expect(kernel.waitUntilClosed())
    }
}
