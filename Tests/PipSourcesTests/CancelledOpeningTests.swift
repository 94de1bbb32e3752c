import Glibc
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipSources

@Suite("A cancelled opening")
struct CancelledOpeningTests {
    /// A reader of files that waits for the writer of a pipe.
    enum Reader: CaseIterable {
        case wav, y4m

        func open(_ path: String, until opening: Interruption) throws(SourceError) {
            switch self {
            case .wav: _ = try WAVReader(path: path, opening: opening)
            case .y4m: _ = try Y4MReader(path: path, opening: opening)
            }
        }

        /// The beginning of a header of the reader's format.
        var beginning: String {
            switch self {
            case .wav: "RIFF\0\0\0\0W"
            case .y4m: "YUV4MPEG2 W3"
            }
        }
    }

    @Test("cancelling an opening ends the wait for a pipe's writer", arguments: Reader.allCases, [false, true])
    func ends(_ reader: Reader, writes: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.pipe("pipe")
        let opening = Interruption()
        let bytes = writes ? Array(reader.beginning.utf8) : []
        let writer = WorkerThread(name: "writes") {
            // The writer keeps the pipe open, so that the stream does not end.
            let descriptor = unsafe open(path, O_RDWR)
            _ = unsafe write(descriptor, bytes, bytes.count)
            opening.raise()
            _ = opening.wait(for: -1, events: 0)
            close(descriptor)
        }
        let error = #expect(throws: SourceError.self) { try reader.open(path, until: opening) }
        #expect(error?.reason == "reading was stopped before the header came")
        writer.join()
    }
}
