#if Media
import PipCompose
import PipMedia
import PipPatterns
import PipTestSupport
import Testing

@Suite("Elements of GStreamer as an output")
struct ElementsSinkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Draws twenty frames in real time into an ``ElementsSink`` and a file.
    private func run(_ elements: String) async throws -> (output: Output, beside: Output) {
        let picture = PatternSource(.scene, size: PixelSize(64, 48), frameRate: FrameRate(30))
        let output = picture --> ElementsSink(elements, format: .nv12)
        let beside = picture --> Y4MFile(folder.path("beside.y4m"))
        let session = try await Session(picture)
        do { try await session.run(frames: 20) } catch { guard case .sink = error else { throw error } }
        return (output, beside)
    }

    @Test("elements get each frame with its timestamp, and finish their file")
    func frames() async throws {
        let path = folder.path("out.mkv")
        let run = try await run("videoconvert ! x264enc tune=zerolatency ! matroskamux ! filesink location=\(path)")
        #expect(run.output.state == .finished)
        #expect(run.output.statistics.written == 20)
        let times = try Probe(path).times
        #expect(times.count == 20)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 30) < 0.002 }, "\(times)")
    }

    @Test(
        "a mistake in the elements is an error before the first frame",
        arguments: [
            ("videoconvert ! nosuchelement", "nosuchelement"), ("videoconvert !", "syntax"),
            ("filesink location=/nowhere/x password=hush-4711", "password"),
        ])
    func mistakes(_ elements: String, _ reason: String) async throws {
        let output = try await run(elements).output
        guard case .failed(let error) = output.state else {
            Issue.record("\(output.state)")
            return
        }
        #expect("\(error)".contains(reason) && !"\(error)".contains("hush"), "\(error)")
        #expect(output.statistics.written == 0)
    }

    @Test("elements that fail while running end their output, and other outputs continue")
    func failure() async throws {
        let run = try await run("identity error-after=5 ! fakesink")
        guard case .failed(let error) = run.output.state else {
            Issue.record("\(run.output.state)")
            return
        }
        #expect("\(error)".contains("Failed after iterations"), "\(error)")
        #expect(run.beside.state == .finished && run.beside.statistics.written == 20)
    }
}
#endif
