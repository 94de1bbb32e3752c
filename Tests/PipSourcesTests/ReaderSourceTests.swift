import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipSources

@Suite struct ReaderSourceTests {
    private func take(_ source: ReaderSource) -> [(number: UInt8, sequence: UInt64, nanoseconds: Int64)] {
        var all: [(UInt8, UInt64, Int64)] = []
        while let frame = source.frames.pop() {
            all.append((samples(frame.buffer, frame.layout)[0], frame.info.sequence, frame.timestamp.nanoseconds))
        }
        return all
    }

    @Test("all frames are delivered in order, with timestamps by the rate, and then the queue is finished")
    func order() {
        let source = ReaderSource(CountingReader(frames: 50)) { _ in Issue.record("no error was expected") }
        source.start()
        let all = take(source)
        #expect(all.map(\.number) == (0..<50).map { UInt8($0) })
        #expect(all.map(\.sequence) == (0..<50).map { UInt64($0) })
        #expect(all.map(\.nanoseconds) == (0..<50).map { $0 * 40_000_000 })
        #expect(source.isFinished)
        source.stop()
    }

    @Test("an error is reported once, and frames read before it are kept")
    func error() {
        let errors = Monitor<[SourceError]>([])
        let source = ReaderSource(CountingReader(frames: 10, failingAt: 2)) { error in
            errors.update { $0.append(error) }
        }
        source.start()
        #expect(take(source).map(\.number) == [0, 1])
        source.stop()
        #expect(errors.read { $0.map(\.operation) } == ["read frame 2"])
    }

    @Test("a still delivers one frame and does not finish")
    func still() {
        let source = ReaderSource(CountingReader(frames: nil, isStill: true)) { _ in }
        source.start()
        #expect(source.frames.pop() != nil)
        #expect(!source.isFinished)
        source.stop()
        #expect(source.frames.pop() == nil)
        #expect(source.isFinished)
    }

    @Test("stopping ends a source that waits for space")
    func stopWhileFull() {
        let source = ReaderSource(CountingReader(frames: nil)) { _ in Issue.record("no error was expected") }
        source.start()
        #expect(source.frames.waitForElement())
        source.stop()
        #expect(take(source).count <= ReaderSource.depth)
    }

    @Test("stopping ends a source that waits for a pipe")
    func stopWhileReading() throws {
        let folder = try TemporaryFolder()
        let reader = try RawReader(
            path: try folder.pipe("pipe"), options: RawOptions(format: .gray, size: PixelSize(2, 2)))
        let source = ReaderSource(reader) { _ in Issue.record("no error was expected") }
        source.start()
        source.stop()
        #expect(source.isFinished)
    }

    @Test("stopping ends a source whose frames are all held by the consumer")
    func stopWhileStarved() {
        let source = ReaderSource(CountingReader(frames: nil)) { _ in }
        source.start()
        var kept: [Frame] = []
        while kept.count < 12, let frame = source.frames.pop() { kept.append(frame) }
        source.stop()
        #expect(kept.map { samples($0.buffer, $0.layout)[0] } == (0..<12).map { UInt8($0) })
    }

    @Test("a movie has the duration that its file states, unless it loops")
    func duration() {
        func duration(_ length: SourceDescription.Length) -> Duration? {
            var description = SourceDescription(
                name: "movie", layout: FrameLayout(.gray, PixelSize(2, 2)), colorimetry: .srgb, rate: FrameRate(25),
                length: length)
            description.movieDuration = .seconds(3)
            return description.duration
        }
        #expect(duration(.unknown) == .seconds(3))
        #expect(duration(.endless) == nil)
    }

    @Test("a source that is stopped before its start does not start")
    func stopFirst() {
        let source = ReaderSource(CountingReader(frames: 3)) { _ in }
        source.stop()
        source.start()
        #expect(source.frames.pop() == nil)
    }

    @Test("memory is reused")
    func reuse() {
        let source = ReaderSource(CountingReader(frames: 200)) { _ in }
        source.start()
        var buffers: Set<ObjectIdentifier> = []
        while let frame = source.frames.pop() { buffers.insert(ObjectIdentifier(frame.buffer)) }
        #expect(buffers.count <= ReaderSource.depth + 3)
        source.stop()
    }
}
