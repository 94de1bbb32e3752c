#if Media
import PipCompose
import PipConcurrency
import PipMedia
import PipPatterns
import PipRecordings
import PipTestSupport

extension TemporaryFolder {
    /// Records some seconds into files of a second each, in virtual time.
    func record(_ name: String = "drive-%05d.mp4", seconds: Int = 3) async throws {
        let (path, encoding) = (path(name), VideoEncoding(keyFrameInterval: .milliseconds(500)))
        try await VirtualTime.run { clock, _ in
            let picture = Compositor { Layer(PatternSource(.scene, size: PixelSize(160, 96))) }
            picture --> MovieFile(path, encoding: encoding, segments: .duration(.seconds(1)))
            var options = SessionOptions()
            options.time = clock
            try await Session(picture, options: options).run(for: .seconds(seconds))
        }
    }
}

extension Recordings {
    /// Returns the recordings of a changed query.
    func list(_ change: (inout RecordingQuery) -> Void) throws -> [Recording] {
        var query = RecordingQuery()
        change(&query)
        return try list(query)
    }
}
#endif
