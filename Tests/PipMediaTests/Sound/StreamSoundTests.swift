#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipMedia

/// Notes when white pictures were composed.
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
        "a receiver gets a flash and a beep as far apart as they were",
        arguments: [
            ("udp://127.0.0.1:46101", ["-i", "udp://127.0.0.1:46101"]),
            ("srt://127.0.0.1:46102", ["-i", "srt://127.0.0.1:46102?mode=listener"]),
            ("rtmp://127.0.0.1:46103/live/key", ["-listen", "1", "-i", "rtmp://127.0.0.1:46103/live/key"]),
        ])
    func apart(_ address: String, _ receiver: [String]) async throws {
        let times = Monitor<[Timestamp]>([])
        let path = folder.path("received.mkv")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["timeout", "40", "ffmpeg", "-v", "error", "-y"] + receiver + ["-c", "copy", "-t", "6", path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { process.terminate() }
        let mixer = AudioMixer()
        mixer.add(BeepSource())
        let picture = Compositor { Layer(CustomSource("flash") { FlashProvider(frames: 900) }) }
        let stream =
            picture
            --> LiveStream(
                try StreamAddress(address), encoding: VideoEncoding(keyFrameInterval: .seconds(1)), sound: mixer)
        picture --> CustomSink("clock") { FlashClock(times) }
        let session = try await Session(picture)
        async let run: Void = session.run()
        let limit = MonotonicClock().now.advanced(by: .seconds(30))
        while process.isRunning, MonotonicClock().now < limit { try await Task.sleep(for: .milliseconds(50)) }
        session.stop()
        try await run
        #expect(stream.statistics.written > 90)
        let flashes = try FlashProvider.flashes(in: path)
        let beeps = try HeardFile(path).beeps.filter { $0 > 0.2 }
        #expect(flashes.count >= 3 && beeps.count >= 3)
        let composed = try #require(times.read { $0.first })
        // Beeps are at whole seconds, flashes a part of one behind.
        let behind = Double(composed.nanoseconds % 1_000_000_000) / 1e9
        for beep in beeps {
            let errors = flashes.map { abs($0 - behind - beep) }
            let error = try #require(errors.map { abs($0 - $0.rounded()) }.min())
            #expect(error < 0.010, "\(error)")
        }
    }

    @Test("a way that has no sound says so", arguments: ["rtsp://127.0.0.1:1/a", "rtp://127.0.0.1:1"])
    func refusals(_ address: String) async throws {
        let picture = Compositor { Layer(CustomSource("flash") { FlashProvider(frames: 2) }) }
        picture --> LiveStream(try StreamAddress(address), sound: AudioMixer())
        let error = await #expect(throws: SessionError.self) { try await Session(picture).run() }
        #expect(error.map { "\($0)".contains("without sound") } == true, "\(String(describing: error))")
    }
}
#endif
