#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipMedia

/// A sink that records the times of white pictures.
private final class FlashClock: FrameSink {
    let format = PixelFormat.nv12
    private let times: Monitor<[Timestamp]>

    init(_ times: Monitor<[Timestamp]>) { self.times = times }

    func open(_ info: FrameInfo, rate: FrameRate) throws {}

    func write(_ frame: Frame) throws {
        let luma = frame.withPlane(0) { bytes, _ in unsafe bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self) }
        if luma > 128 { times.update { $0.append(frame.timestamp) } }
    }

    func finish() throws {}
}

@Suite("Streams with sound", .serialized, .timeLimit(.minutes(2)))
struct StreamSoundTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "a receiver gets a flash and a beep with their original time difference",
        arguments: [
            ("udp://127.0.0.1:PORT", ["-i", "udp://127.0.0.1:PORT"]),
            ("srt://127.0.0.1:PORT", ["-i", "srt://127.0.0.1:PORT?mode=listener"]),
            ("rtmp://127.0.0.1:PORT/live/key", ["-listen", "1", "-i", "rtmp://127.0.0.1:PORT/live/key"]),
        ])
    func apart(_ address: String, _ receiver: [String]) async throws {
        let path = folder.path("received.mkv")
        let port = "\(try FreePort.any())"
        let address = address.replacing("PORT", with: port)
        let receiver = receiver.map { $0.replacing("PORT", with: port) }
        let process = try start(
            ["timeout", "40", "ffmpeg", "-v", "error", "-y"] + receiver + ["-c", "copy", "-t", "6", path])
        defer { process.terminate() }
        let composed = try await send(to: address) { _ in !process.isRunning }
        try compare(path, composed: composed, from: 0.2)
    }

    @Test(
        "a receiver of RTP keeps the time difference once it has received RTCP reports",
        arguments: [("rtsp", "/live"), ("rtp", "")])
    func reported(_ kind: String, _ name: String) async throws {
        let path = folder.path("received.mkv")
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Python/sound-receiver.py").path
        // Only the system's Python has the bindings to the system's GStreamer.
        let port = try FreePort.any(count: 4)
        let address = "\(kind)://127.0.0.1:\(port)\(name)"
        let process = try start(["/usr/bin/python3", script, kind, "\(port)", path])
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        // Within ten seconds, two RTCP reports arrive for each stream.
        let composed = try await send(to: address) { $0.statistics.written > 30 * 17 }
        let end = folder.path("end.mkv")
        try runProgram(["ffmpeg", "-v", "error", "-ss", "11", "-i", path, "-c", "copy", end])
        try compare(end, composed: composed, from: 0.2)
    }

    private func start(_ words: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Sends flashes and beeps until a condition holds, for forty seconds at most.
    ///
    /// - Returns: The time of the first white picture.
    private func send(to address: String, until isDone: (Output) -> Bool) async throws -> Timestamp {
        let times = Monitor<[Timestamp]>([])
        let mixer = AudioMixer()
        mixer.add(BeepSource())
        let picture = Compositor { Layer(CustomSource("flash") { FlashProvider(frames: 1500) }) }
        let stream =
            picture
            --> LiveStream(
                try StreamAddress(address), encoding: VideoEncoding(keyFrameInterval: .seconds(1)), sound: mixer)
        picture --> CustomSink("clock") { FlashClock(times) }
        let session = try await Session(picture)
        async let run: Void = session.run()
        let limit = MonotonicClock().now.advanced(by: .seconds(40))
        while !isDone(stream), MonotonicClock().now < limit { try await Task.sleep(for: .milliseconds(50)) }
        session.stop()
        try await run
        #expect(stream.statistics.written > 90, "\(stream.statistics)")
        return try #require(times.read { $0.first })
    }

    /// Compares the offset between flashes and beeps in a file with the offset at which they were sent.
    private func compare(_ path: String, composed: Timestamp, from start: Double) throws {
        let flashes = try FlashProvider.flashes(in: path).filter { $0 > start }
        let beeps = try HeardFile(path).beeps.filter { $0 > start }
        #expect(flashes.count >= 3 && beeps.count >= 3, "\(flashes) \(beeps)")
        // Beeps come at whole seconds of the clock, and flashes a fraction of a second after them.
        let behind = Double(composed.nanoseconds % 1_000_000_000) / 1e9
        for beep in beeps {
            let errors = flashes.map { abs($0 - behind - beep) }
            let error = try #require(errors.map { abs($0 - $0.rounded()) }.min())
            #expect(error < 0.010, "\(error)")
        }
    }
}
#endif
