#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import Synchronization
import Testing

@testable import PipMedia

/// Tests publications to aiortc, through WHIP on the loopback interface.
@Suite(
    "WHIP to aiortc", .serialized, .timeLimit(.minutes(4)),
    .enabled(if: PythonServer.program != nil, "needs the Python packages that `make test-setup` installs"))
struct WHIPTests {
    private static let size = PixelSize(320, 180)

    @Test(
        "the composed picture is published, and the publication is deleted at its end",
        arguments: [VideoCodec.h264, .vp8])
    func publishes(codec: VideoCodec) async throws {
        let server = try PythonServer(token: "a-good-token")
        defer { server.kill() }
        let numbered = NumberedPicture(Self.size, rate: 15)
        // The server redirects requests to `/moved`.
        let output =
            numbered.picture
            --> WHIPStream("http://127.0.0.1:\(server.port)/moved", token: "a-good-token", encoding: .webRTC(codec))
        let before = try await numbered.run { _ in
            let seen = try #require(try await server.seen { $0.numbers.count >= 30 ? $0 : nil })
            // The first pictures may be missing, because aiortc's H.264 decoder starts late.
            let numbers = seen.numbers
            #expect(!numbers.contains(-1))
            #expect(numbers == numbers.sorted())
            #expect(seen.publishers == 1)
            #expect(output.statistics.connections == 1)
            #expect(output.statistics.error == nil)
            return seen
        }
        #expect(before.deleted == 0)
        let after = try await server.seen { $0 }
        #expect(after?.deleted == 1)
        #expect(output.state == .finished)
    }

    @Test("sound is published with the picture, without a gap")
    func sound() async throws {
        let server = try PythonServer(token: "t0ken")
        defer { server.kill() }
        let numbered = NumberedPicture(Self.size, rate: 15)
        let sound = AudioMixer()
        sound.add(BeepSource())
        numbered.picture
            --> WHIPStream(
                "http://127.0.0.1:\(server.port)/whip", token: "t0ken", encoding: .webRTC(.vp8), sound: sound)
        try await numbered.run { _ in
            let seen = try #require(try await server.seen { $0.beeps.count >= 5 && $0.numbers.count >= 30 ? $0 : nil })
            #expect(!seen.numbers.contains(-1))
            // The first beep is left out, because the connection may have cut it off.
            let steps = zip(seen.beeps.dropFirst(), seen.beeps.dropFirst(2)).map { $1 - $0 }
            #expect(steps.allSatisfy { abs($0 - 1) < 0.005 }, "\(seen.beeps)")
        }
    }

    @Test("after a restart of its server, the picture is published again, from a key frame on")
    func restarts() async throws {
        let server = try PythonServer(token: "t0ken")
        defer { server.kill() }
        let numbered = NumberedPicture(Self.size, rate: 15)
        // The encoder inserts no key frame by itself for a minute.
        let output =
            numbered.picture
            --> WHIPStream(
                "http://127.0.0.1:\(server.port)/whip", token: "t0ken",
                encoding: VideoEncoding(.h264, keyFrameInterval: .seconds(60), profile: .constrainedBaseline))
        try await numbered.run { _ in
            let first = try await server.seen { $0.numbers.count >= 10 ? $0 : nil }
            #expect(first != nil)
            server.kill()
            let lost = try await eventually { output.statistics.error }
            #expect(try #require(lost).description.contains("the server"))
            let number = numbered.latest
            try server.start()
            let seen = try await server.seen { $0.numbers.count >= 10 ? $0 : nil }
            let numbers = try #require(seen).numbers
            #expect(!numbers.contains(-1))
            #expect(try #require(numbers.first) >= number)
            #expect(output.statistics.connections == 2)
            #expect(output.statistics.error == nil)
            #expect(output.state == .running)
        }
    }

    @Test("the server gets a key frame on request")
    func keyFrame() async throws {
        let server = try PythonServer(token: "t0ken")
        defer { server.kill() }
        let numbered = NumberedPicture(Self.size, rate: 15)
        let movie = try TemporaryMovie()
        let encoding = VideoEncoding(.h264, keyFrameInterval: .seconds(60), profile: .constrainedBaseline)
        numbered.picture --> WHIPStream("http://127.0.0.1:\(server.port)/whip", token: "t0ken", encoding: encoding)
        // The file shares the stream's encoder, so that both have the same key frames.
        let recording = numbered.picture --> MovieFile(movie.path, encoding: encoding)
        try await numbered.run { _ in
            _ = try await server.seen { $0.numbers.count >= 10 ? $0 : nil }
            try await server.ask()
            let count = recording.statistics.written
            _ = try await eventually { recording.statistics.written >= count + 15 ? true : nil }
        }
        // The recording has key frames for its first frame, for the connection, and for the server's request.
        #expect(try movie.keyFrames() >= 3)
    }

    @Test("a server that refuses is reported without the token and the path, and tried again")
    func refusals() async throws {
        let server = try PythonServer(token: "right")
        defer { server.kill() }
        let numbered = NumberedPicture(Self.size, rate: 15)
        let output = numbered.picture --> WHIPStream("http://127.0.0.1:\(server.port)/whip", token: "wrong-token")
        let warnings = Shared<[String]>([])
        try await numbered.run { session in
            let events = session.events
            let listening = Task {
                for await event in events {
                    if case .sinkWarning(let name, let text) = event {
                        warnings.value.withLock { $0.append("\(name): \(text)") }
                    }
                }
            }
            let seen = try await server.seen { $0.refused >= 2 ? $0 : nil }
            #expect(seen != nil)
            listening.cancel()
        }
        let error = try #require(output.statistics.error).description
        #expect(error.contains("refuses with 401, which means: it needs a valid token"))
        let said = warnings.value.withLock { $0 }
        // A repeated reason is reported only once. The other possible reason is that no server listened at first.
        #expect(said.filter { $0.contains("with 401") }.count == 1, "\(said)")
        #expect(said.count <= 2, "\(said)")
        for text in said + [error, output.label, output.statistics.name, "\(output.statistics)"] {
            #expect(!text.contains("wrong-token"), "\(text)")
            #expect(!text.contains("/whip"), "\(text)")
        }
    }
}

/// Tests of WHIP that need no server.
@Suite("WHIP")
struct WHIPAddressTests {
    @Test("attempts are 1, 2, 4 … 30 seconds apart, and 1 second apart again after a successful one")
    func backOff() {
        var backOff = BackOff.ofPublishers
        var waits: [Duration] = []
        for _ in 0..<7 { waits.append(backOff.next()) }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        backOff.reset()
        let next = backOff.next()
        #expect(next == .seconds(1))
    }

    @Test(
        "an invalid address or token is refused at once, without showing the token",
        arguments: [("ftp://host/x", "t"), ("host/x", "t"), ("https://", "t"), ("https://host/x", "a\r\nX: y")])
    func mistakes(address: String, token: String) async throws {
        let source = AppSource("none", layout: FrameLayout(.i420, PixelSize(64, 48)))
        let output = source --> WHIPStream(address, token: token)
        let error = await #expect(throws: SessionError.self) { try await Session(source).run(frames: 1) }
        #expect(error?.description.contains("X: y") == false)
        #expect(!output.label.contains("/x"))
    }

    @Test("a publication's URL is relative to the URL of the response")
    func places() {
        #expect(HTTPClient.resolve("resource/1", at: "http://a:8080/whip/x") == "http://a:8080/whip/resource/1")
        #expect(HTTPClient.resolve("/r", at: "https://a/whip") == "https://a/r")
        #expect(HTTPClient.resolve("https://b/r", at: "https://a/whip") == "https://b/r")
        #expect(HTTPClient.host(of: "https://user:pass@a.b:99/x?y") == "a.b:99")
        #expect(HTTPClient.host(of: "file:///etc/passwd") == nil)
    }
}
#endif
