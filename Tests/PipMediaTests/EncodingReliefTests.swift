#if Media
import PipConcurrency
import PipFrames
import PipPressure
import PipSinks
import PipTestSupport
import Synchronization
import Testing

@testable import PipMedia

extension VideoEncoderTests {
    /// Offers 60 frames to an output, with less work for the middle third.
    private func submit(to output: EncodedFrames, _ relief: borrowing Mutex<EncodingRelief>) {
        for number in 0..<60 {
            if number == 20 { relief.withLock { $0.isFastest = true } }
            if number == 40 { relief.withLock { $0.isFastest = false } }
            submit(number, to: [output], hasNoise: true)
        }
    }

    @Test(
        "less work needs no other parameter sets, at every speed and profile",
        arguments: [("x264enc", nil), ("x264enc", .constrainedBaseline), ("x264enc", .main), ("x265enc", nil)]
            as [(String, VideoEncoding.Profile?)], [VideoEncoding.Speed.fast, .balanced, .thorough])
    func parameterSets(_ encoder: (name: String, profile: VideoEncoding.Profile?), speed: VideoEncoding.Speed) throws {
        let element = try #require(EncoderElement.named(encoder.name))
        try #require(GStreamer.has(encoder.name))
        let relief = Mutex(EncodingRelief.none)
        let encoding = VideoEncoding(element.codec, speed: speed, profile: encoder.profile)
        let output = EncodedFrames(
            try self.encoder(encoding, among: [element], relief: { relief.withLock { $0 } }), capacity: 100,
            waits: true)
        submit(to: output, relief)
        let keys = packets(output).map(\.packet).filter(\.isKey).map { unsafe $0.withBytes { unsafe Array($0) } }
        let sets = keys.map((element.codec == .h264 ? AnnexB.h264 : .h265).parameters)
        #expect(sets.count == 3 && sets.allSatisfy { !$0.isEmpty && $0 == sets[0] })
        // x264 and x265 write their options into their first packet.
        #expect(keys.map { String(decoding: $0, as: UTF8.self).contains(" subme=0 ") } == [false, true, false])
    }

    @Test(
        "a recording goes on in its file with less work",
        arguments: [
            ("a.mp4", VideoCodec.h264), ("a.mov", .h264), ("a.mkv", .h264), ("a.ts", .h264), ("a.mp4", .h265),
            ("a.mkv", .h265), ("a.ts", .h265), ("a.mp4", .av1), ("a.mp4", .vp9), ("a.webm", .vp8),
        ])
    func sameFile(_ name: String, _ codec: VideoCodec) throws {
        let folder = try TemporaryFolder()
        let relief = Mutex(EncodingRelief.none)
        let output = EncodedFrames(
            try encoder(VideoEncoding(codec), relief: { relief.withLock { $0 } }), capacity: 100, waits: true)
        let path = folder.path(name)
        let plan = MovieLoop.Plan(
            names: try FileNames(path), container: try #require(MovieContainer(path: path)), codec: codec,
            overwrites: false, keep: nil, onFull: .stop)
        let errors = Monitor<[SinkError]>([])
        let loop = MovieLoop(plan, output.feed, until: Interruption(), onEvent: { _ in }) { error in
            errors.update { $0.append(error) }
        }
        _ = WorkerThread(name: "test") { loop.run() }
        submit(to: output, relief)
        output.finish(by: .distantFuture)
        #expect(loop.waitUntilDone(by: MonotonicClock().now.advanced(by: .seconds(20))))
        #expect(errors.read(\.isEmpty))
        #expect(try folder.names == [name])
        #expect(try Probe(path).frames == 60)
        let keys = try Probe.packets("flags", of: path).enumerated().filter { $1[0].hasPrefix("K") }.map(\.offset)
        #expect(keys == [0, 20, 40])
        try runProgram(["ffmpeg", "-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-f", "null", "-"])
    }
}
#endif
