import PipConcurrency
import PipFrames
import Testing

@testable import PipSources

@Suite struct ProviderReaderTests {
    @Test("a provider that does not start is told apart from one that fails at a frame", arguments: [true, false])
    func failures(atStart: Bool) {
        let (reader, _) = ProviderReader.make("app", FailingProvider(failsAtStart: atStart))
        let error = #expect(throws: SourceError.self) { try next(reader) }
        #expect(error?.description == "app: cannot \(atStart ? "start" : "provide frame 0"): the cable is loose")
    }

    @Test("a provider whose source is stopped is neither started nor asked for a frame")
    func stopped() throws {
        let (reader, _) = ProviderReader.make("app", FailingProvider(failsAtStart: true))
        reader.interruption.raise()
        #expect(try next(reader) == nil)
    }
}

/// A provider that throws at its start, or at its first frame.
private final class FailingProvider: FrameProvider {
    private struct Failure: Error, CustomStringConvertible {
        var description: String { "the cable is loose" }
    }

    let format = ProvidedFormat(layout: FrameLayout(.gray, PixelSize(2, 1)))
    private let failsAtStart: Bool

    init(failsAtStart: Bool) { self.failsAtStart = failsAtStart }

    func start() throws {
        if failsAtStart { throw Failure() }
    }

    func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool { throw Failure() }

    func stop() {}
}
