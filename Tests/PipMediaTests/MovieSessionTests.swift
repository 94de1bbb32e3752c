#if Media
import PipCompose
import PipConcurrency
import PipFrames
import PipSinks
import PipSources
import PipTestSupport
import Synchronization
import Testing

@testable import PipMedia

/// A sink that records the number that each composed frame shows.
final class NumberSink: FrameSink, Sendable {
    let format = PixelFormat.i420
    let numbers: Mutex<[Int]> = Mutex([])

    func open(_ info: FrameInfo, rate: FrameRate) throws {}
    func write(_ frame: Frame) throws { numbers.withLock { $0.append(frame.number) } }
    func finish() throws {}

    var all: [Int] { numbers.withLock { $0 } }
}

@Suite("Movies in a session")
struct MovieSessionTests {
    private let files: MovieFiles

    init() throws { files = try MovieFiles() }

    private static var offline: SessionOptions {
        var options = SessionOptions()
        options.pace = .maximum
        return options
    }

    @Test("offline, each frame is composed once, and the session ends with the movie", arguments: ["mp4", "mkv"])
    func offline(ending: String) async throws {
        let path = try files.numbered("a.\(ending)", 60, rate: "30000/1001")
        let sink = NumberSink()
        let movie = MovieSource(path)
        movie --> CustomSink("numbers") { sink }
        let session = try await Session(movie, options: Self.offline)
        try await session.run()
        #expect(sink.all == Array(0..<60))
        let source = try #require(session.statistics.sources.first)
        #expect(source.kind == .file)
        #expect(source.used == 60)
    }

    @Test("a slower movie beside another keeps its own rate")
    func inset() async throws {
        let fast = try files.numbered("a.mp4", 60, rate: "30")
        let slow = try files.numbered("b.mp4", 20, rate: "10")
        let sink = NumberSink()
        let (main, other) = (MovieSource(fast), MovieSource(slow))
        let picture = Compositor(canvas: MovieFiles.size) {
            Layer(main)
            Layer(other).placed(.topLeft, width: 1)
        }
        picture --> CustomSink("numbers") { sink }
        try await Session(picture, options: Self.offline).run()
        #expect(sink.all == (0..<60).map { $0 / 3 })
    }

    @Test("a truncated movie disturbs nothing else, and is reported")
    func broken() async throws {
        let path = try files.numbered("a.mp4", 60, MovieFiles.h264 + ["-movflags", "+faststart"])
        let bytes = try files.folder.read("a.mp4")
        try files.folder.write(Array(bytes.prefix(bytes.count / 2)), to: "b.mp4")
        let sink = NumberSink()
        let main = MovieSource(path)
        let picture = Compositor(canvas: MovieFiles.size) {
            Layer(main)
            Layer(MovieSource(files.folder.path("b.mp4"))).placed(.topRight, width: 0.1)
        }
        picture --> CustomSink("numbers") { sink }
        let session = try await Session(picture, options: Self.offline)
        let error = await #expect(throws: SessionError.self) { try await session.run() }
        #expect(error?.description.contains("it is cut off") == true, "\(String(describing: error))")
        #expect(sink.all.count == 60)
    }

    @Test("a movie that is added to a running session begins with its first frame")
    func joins() async throws {
        let path = try files.numbered("a.mp4", 200)
        let sink = NumberSink()
        let below = MovieSource(try files.numbered("b.mp4", 2), loops: true)
        let picture = Compositor(canvas: MovieFiles.size) { Layer(below) }
        picture --> CustomSink("numbers") { sink }
        var options = SessionOptions()
        options.pressure.policy = .off
        let session = try await Session(picture, options: options)
        let run = Task { try await session.run() }
        while session.statistics.output.frames < 100 { try await Task.sleep(for: .milliseconds(5)) }
        let movie = MovieSource(path)
        _ = try await session.configure { picture.add(Layer(movie).placed(.topLeft, width: 1)) }
        while !sink.all.contains(where: { $0 > 1 }) { try await Task.sleep(for: .milliseconds(5)) }
        session.stop()
        try await run.value
        // A movie that followed the session's time would begin with frame 100 or later. A busy machine may miss the
        // first frames.
        #expect(try #require(sink.all.first { $0 > 1 }) < 90)
    }
}
#endif
