#if Media
import PipCompose
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("A part of a movie")
struct MoviePartTests {
    private let files: MovieFiles

    init() throws { files = try MovieFiles() }

    /// The frame numbers seen in a composition's output that starts at frame `first`.
    private func numbers(
        from first: Int, _ makePicture: @escaping () -> some FrameProducer
    ) async throws -> [Int] {
        var options = SessionOptions()
        options.pace = .maximum
        let sink = NumberSink()
        let picture = makePicture()
        picture --> CustomSink("numbers") { sink }
        try await Session(picture, options: options).run(from: first)
        return sink.all
    }

    @Test("a part begins with any frame", arguments: ["a.mp4", "a.mkv", "a.avi", "a.ts"])
    func anyFrame(name: String) async throws {
        let path = try files.numbered(name, 60, rate: "30000/1001")
        for first in [1, 11, 12, 13, 37, 59] {
            let all = try await numbers(from: first) { MovieSource(path) }
            #expect(all == Array(first..<60), "from \(first)")
        }
    }

    @Test("a part of a movie with a start and an end has the right frames")
    func partOfPart() async throws {
        let path = try files.numbered("a.mp4", 60)
        let source = { MovieSource(path, from: .milliseconds(400), to: .milliseconds(1600)) }
        let whole = try await numbers(from: 0, source)
        #expect(whole == Array(12..<48))
        for first in [1, 5, 24, 35] {
            #expect(try await numbers(from: first, source) == Array(whole[first...]), "from \(first)")
        }
    }

    @Test("a part of a looping movie has the right frames")
    func loop() async throws {
        let (long, short) = (try files.numbered("a.mp4", 50), try files.numbered("b.mp4", 7))
        let source = {
            Compositor(canvas: MovieFiles.size) {
                Layer(MovieSource(long))
                Layer(MovieSource(short, loops: true)).placed(.topLeft, width: 1)
            }
        }
        let whole = try await numbers(from: 0, source)
        #expect(whole == (0..<50).map { $0 % 7 })
        #expect(try await numbers(from: 33, source) == Array(whole[33...]))
    }

    @Test("a part beside a slower movie that has ended has the right frames")
    func slower() async throws {
        let (long, short) = (try files.numbered("a.mp4", 60), try files.numbered("b.mp4", 12, rate: "10"))
        let source = {
            Compositor(canvas: MovieFiles.size) {
                Layer(MovieSource(long))
                Layer(MovieSource(short)).placed(.topLeft, width: 1)
            }
        }
        let whole = try await numbers(from: 0, source)
        for first in [1, 20, 35, 50] {
            #expect(try await numbers(from: first, source) == Array(whole[first...]), "from \(first)")
        }
    }

    @Test("the length of a movie is known before it is read")
    func length() async throws {
        let path = try files.numbered("a.mp4", 60)
        let movie = MovieSource(path, from: .milliseconds(500))
        movie --> NullSink()
        let length = try #require(try await Session(movie).fileLength)
        #expect(abs(length.inSeconds - 1.5) < 0.05)
    }
}
#endif
