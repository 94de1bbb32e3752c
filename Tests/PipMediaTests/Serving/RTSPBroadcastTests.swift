#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Streams that RTSP players pull", .serialized, .timeLimit(.minutes(3)))
struct RTSPBroadcastTests {
    private static let size = PixelSize(320, 176)

    private let port: Int
    private let numbered = NumberedPicture(size, rate: 20)

    init() throws { port = try FreePort.tcp() }

    private func address(_ path: String = "/cam", user: String = "") throws -> StreamAddress {
        try StreamAddress("rtsp://\(user)127.0.0.1:\(port)\(path)")
    }

    /// The command of an FFmpeg that plays a path.
    private func player(_ path: String = "/cam", over transport: String = "tcp") -> [String] {
        ["ffmpeg", "-nostdin", "-v", "error", "-rtsp_transport", transport, "-i", "rtsp://127.0.0.1:\(port)\(path)"]
    }

    /// Plays a path with FFmpeg, and returns the numbers of its first frames.
    private func numbers(_ count: Int, _ path: String = "/cam", over transport: String = "tcp") async throws -> [Int] {
        let folder = try TemporaryFolder()
        try await run(
            player(path, over: transport)
                + [
                    "-frames:v", "\(count)", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray",
                    folder.path("frames.gray"),
                ])
        let (bytes, frame) = (try folder.read("frames.gray"), Self.size.width * Self.size.height)
        return (0..<bytes.count / frame).map { index in
            NumberedPicture.number(Self.size) { x, y in bytes[index * frame + y * Self.size.width + x] }
        }
    }

    /// The numbers of the frames that a session composes; a busy machine composes one twice, or leaves one out.
    private struct Composed: Sendable {
        private let numbers: Task<[Int], Never>

        init(_ numbered: NumberedPicture) {
            let tap = FrameTap(.i420, buffering: .newest(8))
            numbered.picture --> tap
            numbers = Task {
                var all: [Int] = []
                for await frame in tap.frames {
                    let number = frame.withPlane(0) { luma, plane in
                        NumberedPicture.number(frame.layout.size) { x, y in
                            unsafe luma.unsafeLoad(fromByteOffset: y * plane.strideInBytes + x, as: UInt8.self)
                        }
                    }
                    all.append(number)
                }
                return all
            }
        }

        /// Expects that players saw frames as they were composed, without a gap but for frames that the output dropped.
        func expect(_ players: [[Int]], _ output: Output) async {
            let all = await numbers.value
            let dropped = output.statistics.drops.total
            for seen in players {
                let gap = all.indices.lazy.compactMap { Self.gap(in: seen, of: all[$0...]) }.min()
                #expect(gap.map { $0 <= dropped } == true && !seen.isEmpty, "\(seen) of \(all), \(dropped) dropped")
            }
        }

        /// The number of composed frames that are not among those seen; nil if other frames were seen, or others first.
        private static func gap(in seen: [Int], of composed: ArraySlice<Int>) -> Int? {
            guard composed.first == seen.first else { return nil }
            var (rest, gap) = (seen[...], 0)
            for number in composed where !rest.isEmpty {
                if rest.first == number { rest.removeFirst() } else { gap += 1 }
            }
            return rest.isEmpty ? gap : nil
        }
    }

    /// Runs a session, and a function once players can connect.
    private func whileServed<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        try await numbered.run { _ in
            _ = try await eventually { try FreePort.hasListener(port) ? true : nil }
            return try await body()
        }
    }

    /// Runs a program on a thread, and returns its output.
    @discardableResult
    private func run(_ words: [String]) async throws -> String {
        try await onThread("player") { Result { try runProgram(words) } }.get()
    }

    /// Starts an FFmpeg that plays without an end.
    private func endless() throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = player() + ["-f", "null", "-"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    @Test(
        "FFmpeg plays each frame from a key frame on",
        arguments: [VideoCodec.h264, .h265, .mjpeg], ["tcp", "udp"])
    func plays(codec: VideoCodec, transport: String) async throws {
        let output = numbered.picture --> RTSPBroadcast(try address(), encoding: VideoEncoding(codec))
        let composed = Composed(numbered)
        let seen = try await whileServed {
            // The second player comes while the first one's stream goes on.
            async let first = numbers(40, over: transport)
            _ = try await eventually { output.statistics.written > 10 ? true : nil }
            let second = try await numbers(20, over: transport)
            return [try await first, Array(second.drop { $0 == -1 })]
        }
        // FFmpeg shows something of H.265 before the key frame that a new player gets.
        #expect(seen[0].count == 40 && (10...20).contains(seen[1].count))
        await composed.expect(seen, output)
        #expect(output.statistics.error == nil && output.statistics.written >= 40)
    }

    @Test("the sound is beside the picture, and this program plays both")
    func hears() async throws {
        let sound = AudioMixer()
        sound.add(ToneSource(440))
        for (path, codec) in [("/cam", VideoCodec.h264), ("/jpeg", .mjpeg)] {
            numbered.picture --> RTSPBroadcast(try address(path), encoding: VideoEncoding(codec), sound: sound)
        }
        try await whileServed {
            let command = [
                "ffprobe", "-v", "error", "-rtsp_transport", "tcp", "-show_entries", "stream=codec_name", "-of",
                "csv=p=0", "rtsp://127.0.0.1:\(port)/cam",
            ]
            #expect(try await run(command).split(separator: "\n") == ["h264", "aac"])
            for path in ["/cam", "/jpeg"] {
                let tap = FrameTap(.i420, buffering: .newest(4))
                let source = StreamSource("rtsp://127.0.0.1:\(port)\(path)")
                source --> tap
                let session = try await Session(source)
                async let running: Void = session.run()
                var count = 0
                for await frame in tap.frames {
                    #expect(frame.layout.size == Self.size)
                    count += 1
                    if count == 20 { session.stop() }
                }
                try await running
            }
        }
    }

    @Test("a path with a user is played with the right password only")
    func users() async throws {
        numbered.picture --> RTSPBroadcast(try address(user: "viewer:secret1@"))
        numbered.picture --> RTSPBroadcast(try address("/open"))
        // The library's own word for players without a user.
        numbered.picture --> RTSPBroadcast(try address("/named", user: "anybody:secret2@"))
        try await whileServed {
            for place in ["", "viewer:wrong@", "other:secret1@"].map({ "\($0)127.0.0.1:\(port)/cam" })
                + ["127.0.0.1:\(port)/named", "viewer:secret1@127.0.0.1:\(port)/named"]
            {
                let command = ["ffprobe", "-v", "error", "rtsp://\(place)"]
                await #expect(throws: ProgramFailure.self) { try await run(command) }
            }
            for place in ["viewer:secret1@127.0.0.1:\(port)/cam", "anybody:secret2@127.0.0.1:\(port)/named"] {
                try await run(["ffprobe", "-v", "error", "rtsp://\(place)"])
            }
            #expect(try await numbers(5, "/open").count == 5)
        }
    }

    @Test("players that freeze or are killed leave no gap for others, and the encoder rests without players")
    func frozen() async throws {
        let output = numbered.picture --> RTSPBroadcast(try address())
        let composed = Composed(numbered)
        let seen = try await whileServed {
            #expect(output.statistics.written == 0)
            let (frozen, killed) = (try endless(), try endless())
            _ = try await eventually { output.statistics.written > 10 ? true : nil }
            kill(frozen.processIdentifier, SIGSTOP)
            kill(killed.processIdentifier, SIGKILL)
            let seen = try await numbers(60)
            kill(frozen.processIdentifier, SIGKILL)
            // The server gives the dead players up, and the encoder rests.
            let resting = try await eventually(within: .seconds(30)) { () -> Bool? in
                let before = output.statistics.written
                try await Task.sleep(for: .milliseconds(500))
                return output.statistics.written == before ? true : nil
            }
            #expect(resting == true)
            return seen
        }
        #expect(seen.count == 60)
        await composed.expect([seen], output)
    }

    /// Sends nonsense on 300 connections, opens 200, and prints how many of these are still open a second later.
    private static let floods = """
        import random, socket, sys, time
        where = ("127.0.0.1", int(sys.argv[1]))
        dice = random.Random(7)
        for round in range(300):
            one = socket.create_connection(where)
            one.sendall(dice.randbytes(200) if round % 2 else
                b"DESCRIBE rtsp://127.0.0.1/%d RTSP/1.0\\r\\nCSeq: 1\\r\\n\\r\\n" % round)
            one.close()
        all = [socket.create_connection(where) for _ in range(200)]
        time.sleep(1)
        def is_open(one):
            one.setblocking(False)
            try: return one.recv(1) != b""
            except BlockingIOError: return True
            except OSError: return False
        print(sum(map(is_open, all)))
        """

    @Test("many connections and nonsense are bounded, and a player plays afterwards")
    func flood() async throws {
        numbered.picture --> RTSPBroadcast(try address())
        try await whileServed {
            let open = try await run(["python3", "-c", Self.floods, "\(port)"])
            #expect(try #require(Int(open.trimmingCharacters(in: .whitespacesAndNewlines))) <= 128)
            #expect(try await numbers(5).count == 5)
        }
    }

    @Test("a port or a path that is in use, and an invalid address, are refused with a sentence")
    func refusals() async throws {
        func refusal(_ sinks: RTSPBroadcast...) async -> String {
            let picture = NumberedPicture(Self.size, rate: 10).picture
            for sink in sinks { picture --> sink }
            do {
                try await Session(picture).run(for: .milliseconds(100))
                return "none"
            } catch { return "\(error)" }
        }
        let listener = try TestServer { _ in nil }
        let taken = try StreamAddress("rtsp://127.0.0.1:\(listener.port)/cam")
        #expect(await refusal(RTSPBroadcast(taken)).contains("cannot be served: 127.0.0.1:\(listener.port): "))
        let twice = await refusal(RTSPBroadcast(try address()), RTSPBroadcast(try address()))
        #expect(twice.contains("cam"), "\(twice)")
        let users = await refusal(
            RTSPBroadcast(try address("/a", user: "u:one@")), RTSPBroadcast(try address("/b", user: "u:two@")))
        #expect(users.contains("another output has another password of u") && !users.contains("two"), "\(users)")
        let secure = try StreamAddress("rtsps://127.0.0.1:\(port)/b")
        let mixed = await refusal(
            RTSPBroadcast(try address("/a")), RTSPBroadcast(secure, certificate: ServerCertificate("none.pem")))
        #expect(mixed.contains("another output at port \(port) has another certificate, or none"), "\(mixed)")
        let open = await refusal(RTSPBroadcast(try address(user: "viewer@")))
        #expect(open.contains("its user has no password"), "\(open)")
        let codec = await refusal(RTSPBroadcast(try address(), encoding: VideoEncoding(.vp8)))
        #expect(codec.contains("an RTSP server cannot send VP8"), "\(codec)")
    }
}
#endif
