#if Media
import Foundation
import PipCompose
import PipPatterns
import PipTestSupport
import Testing

@testable import PipMedia

/// Tests the opening of streams on ports that nobody sends to, which waits ten seconds for a first frame.
@Suite("Waiting for streams that are opening", .serialized, .timeLimit(.minutes(2)))
struct StreamOpeningTests {
    /// Waits until a UDP socket is bound to a port.
    private func wait(forPort port: Int) async throws {
        let local = ":" + String(format: "%04X", port)
        while true {
            let sockets = try String(contentsOfFile: "/proc/net/udp", encoding: .utf8).split(separator: "\n")
            if sockets.contains(where: { $0.split(separator: " ")[1].hasSuffix(local) }) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test(
        "cancelling the task that makes a session ends the wait for a stream, also without waiting for cameras",
        arguments: [false, true])
    func cancelled(startsWithoutCameras: Bool) async throws {
        let port = try FreePort.udp()
        let stream = StreamSource("udp://127.0.0.1:\(port)")
        stream --> FrameTap(.rgba)
        var options = SessionOptions()
        options.startsWithoutCameras = startsWithoutCameras
        let opening = Task { [options] in try await Session(stream, options: options) }
        try await wait(forPort: port)
        opening.cancel()
        let error = await #expect(throws: SessionError.self) { try await opening.value }
        let said = error?.description ?? ""
        #expect(said.hasSuffix("cannot open: it was stopped before its first frame came"), "\(said)")
    }

    /// Starts a session, and returns it once it has drawn its first frame.
    private func running() async throws -> (picture: Compositor, session: Session, run: Task<Void, any Error>) {
        let picture = Compositor(canvas: MovieFiles.size) {
            Layer(PatternSource(.scene, size: MovieFiles.size, frameRate: FrameRate(30)))
        }
        picture --> FrameTap(.rgba)
        var options = SessionOptions()
        options.pressure.policy = .off
        let session = try await Session(picture, options: options)
        let run = Task { try await session.run() }
        while session.statistics.output.frames == 0 { try await Task.sleep(for: .milliseconds(5)) }
        return (picture, session, run)
    }

    @Test("stopping a session ends the wait for a stream that is added, which is no error of the graph")
    func stopped() async throws {
        let (picture, session, run) = try await running()
        let port = try FreePort.udp()
        picture.add(Layer(StreamSource("udp://127.0.0.1:\(port)")))
        try await wait(forPort: port)
        session.stop()
        try await run.value
        for await event in session.events {
            if case .changeRejected(let error) = event { Issue.record("\(error)") }
        }
    }

    @Test("a change that waits for a stream is taken back when the session is stopped")
    func changed() async throws {
        let (picture, session, run) = try await running()
        let port = try FreePort.udp()
        let change = Task {
            _ = try await session.configure { picture.add(Layer(StreamSource("udp://127.0.0.1:\(port)"))) }
        }
        try await wait(forPort: port)
        session.stop()
        try await run.value
        let error = await #expect(throws: SessionError.self) { try await change.value }
        #expect(error?.description.contains("it was stopped before its first frame") == true, "\(error as Any)")
        #expect(picture.layers.count == 1)
    }
}
#endif
