#if Media
import Foundation
import Glibc
import PipCompose
import PipMedia
import PipTestSupport
import Synchronization
import Testing

/// The outputs of the soak: a segmented recording, and two streams to a server.
///
/// The server is killed, restarted, frozen and thawed in turn, and the recording keeps only its latest segments.
final class SoakOutputs: Sendable {
    private let folder: TemporaryFolder
    private let server: Mutex<Background?>

    /// The number of frames between two changes of the server.
    private static let interval = 90

    init() throws {
        folder = try TemporaryFolder()
        server = Mutex(try RTMPServer.start(in: folder, keepsStreams: false))
    }

    func connect(to picture: some FrameProducer) throws {
        let encoding = VideoEncoding(.h264, rate: .bits(100_000), speed: .fastest)
        picture
            --> MovieFile(
                folder.path("part-%05d.mp4"), encoding: encoding, segments: .duration(.seconds(60)),
                keep: .bytes(4_000_000))
        for name in ["a", "b"] {
            picture --> LiveStream(try StreamAddress("rtmp://127.0.0.1:1935/live/\(name)"), encoding: encoding)
        }
    }

    /// Changes the state of the server once every ``interval`` frames.
    func play(_ number: Int) throws {
        guard number % Self.interval == Self.interval - 1 else { return }
        try server.withLock { server in
            switch number / Self.interval % 4 {
            case 0:
                server?.stop()
                server = nil
            case 1: server = try RTMPServer.start(in: folder, keepsStreams: false)
            case 2: server?.send(SIGSTOP)
            default: server?.send(SIGCONT)
            }
        }
    }

    func end() {
        server.withLock { server in
            server?.stop()
            server = nil
        }
    }

    /// Expects that the recording has every frame, and that each stream has connected more often than once a round.
    static func expectSound(_ run: SessionRun) {
        let sinks = run.statistics.sinks
        let movie = sinks.first { $0.name.hasSuffix(".mp4") }
        #expect(movie?.written == run.statistics.output.frames, "\(sinks)")
        let streams = sinks.filter { $0.name.hasPrefix("rtmp://") }
        #expect(streams.count == 2)
        // Two of the four changes of a round end the connections, and the server responds for half of the time.
        let rounds = run.statistics.output.frames / (4 * interval)
        for stream in streams { #expect(stream.connections > rounds, "\(stream.connections) in \(rounds) rounds") }
    }
}
#else
import PipCompose

/// Replaces the outputs in a program that was built without recordings and streams.
final class SoakOutputs: Sendable {
    init() throws {}
    func connect(to picture: some FrameProducer) throws { picture --> NullSink(.nv12) }
    func play(_ number: Int) throws {}
    func end() {}
    static func expectSound(_ run: SessionRun) {}
}
#endif
