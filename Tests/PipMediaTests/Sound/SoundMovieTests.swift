#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipSound
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Recordings with sound")
struct SoundMovieTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Draws flashes for sinks, as fast as the sinks accept frames.
    @discardableResult
    private func draw(_ frames: Int, into sinks: [any Sink]) async throws -> [OutputStatistics] {
        let picture = Compositor { Layer(CustomSource("flash") { FlashProvider(frames: frames) }) }
        for sink in sinks { connect(picture, sink) }
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        try await session.run(frames: frames)
        return session.statistics.sinks
    }

    private func connect(_ picture: Compositor, _ sink: some Sink) { picture --> sink }

    /// Makes a mixer that plays a file with a beep at each flash of the picture.
    private func beeps(_ seconds: Double, rate: Int = 48_000) throws -> AudioMixer {
        try writeWAV(folder.path("beep.wav"), seconds: seconds, AudioFormat(rate: rate, channels: 1), beep)
        let mixer = AudioMixer()
        mixer.add(SoundFile(folder.path("beep.wav")))
        return mixer
    }

    private func fields(_ name: String) throws -> [String: String] {
        try Probe.fields(["-select_streams", "a:0", "-show_streams"], of: folder.path(name))
    }

    @Test(
        "a flash and a beep are together within 2 ms in every container",
        arguments: [
            ("a.mp4", AudioEncoding.Codec.aac), ("a.mov", .aac), ("a.mkv", .aac), ("a.mkv", .opus), ("a.webm", .opus),
            ("a.ts", .aac),
        ])
    func together(_ name: String, _ codec: AudioEncoding.Codec) async throws {
        let statistics = try await draw(
            140,
            into: [
                MovieFile(folder.path(name), sound: [try beeps(5)], soundEncoding: AudioEncoding(codec))
            ])
        let problem = statistics[0].written != 140 || statistics[0].drops.total > 0 || statistics[0].error != nil
        #expect(!problem, "\(statistics[0])")
        #expect(try fields(name)["codec_name"] == codec.rawValue)
        let flashes = try FlashProvider.flashes(in: folder.path(name))
        let heard = try HeardFile(folder.path(name))
        let beeps = heard.beeps
        #expect(flashes.count == 4 && beeps.count == 4)
        let errors = zip(flashes, beeps).map { $1 - $0 }
        #expect(errors.allSatisfy { abs($0) < 0.002 }, "\(errors)")
        // The sound ends with the last picture, and is quiet before the first beep.
        let length = Double(heard.samples.count) / 48_000
        #expect(abs(length - 140.0 / 30) < 0.045, "\(length)")
        #expect(heard.rms(0..<0.9) < 0.001)
    }

    @Test("sound is converted to the mix's rate, and a file of several channels to stereo")
    func rates() async throws {
        try await draw(100, into: [MovieFile(folder.path("a.mp4"), sound: [try beeps(4, rate: 16_000)])])
        let beeps = try HeardFile(folder.path("a.mp4")).beeps
        #expect(beeps.count == 3)
        for (number, beep) in beeps.enumerated() { #expect(abs(beep - Double(number + 1)) < 0.005) }
        #expect(try fields("a.mp4")["channels"] == "2")
    }

    @Test("successive files have all sound packets once, and each begins with its first picture")
    func segments() async throws {
        try writeWAV(folder.path("sine.wav"), seconds: 8) { Float(sin(2 * Double.pi * 500 * $0)) * 0.5 }
        let mixer = AudioMixer()
        mixer.add(SoundFile(folder.path("sine.wav")))
        try await draw(
            200,
            into: [
                MovieFile(folder.path("a-%03d.mkv"), sound: [mixer], segments: .duration(.milliseconds(1500))),
                MovieFile(folder.path("b.mkv"), sound: [mixer]),
            ])
        let names = try folder.names.filter { $0.hasPrefix("a-") }
        #expect(names.count == 5)
        func packets(_ name: String) throws -> [[Substring]] {
            try Probe.packets(
                "pts_time,data_hash", of: folder.path(name), stream: "a:0", ["-show_data_hash", "md5"])
        }
        let parts = try names.map(packets)
        let whole = try packets("b.mkv")
        // The packets in the parts equal those in one file.
        #expect(parts.flatMap { $0 }.map { $0[1] } == whole.map { $0[1] })
        for part in parts {
            let first = try #require(part.first.flatMap { Double($0[0]) })
            #expect(first >= 0 && first < 0.022)
        }
    }

    @Test("a live stream in files has its sound without a gap")
    func playlist() async throws {
        try await draw(
            130, into: [HLSStream(folder.path("live.m3u8"), sound: try beeps(5), segment: .seconds(1), length: nil)])
        let heard = try HeardFile(folder.path("live.m3u8"))
        let length = Double(heard.samples.count) / 48_000
        #expect(abs(length - 130.0 / 30) < 0.045)
        let beeps = heard.beeps
        #expect(beeps.count == 4)
        for (number, beep) in beeps.enumerated() { #expect(abs(beep - Double(number + 1)) < 0.002) }
    }

    @Test("inputs can be separate tracks, each with its gain")
    func tracks() async throws {
        let mixer = AudioMixer()
        let low = mixer.add(ToneSource(300, level: -12))
        let high = mixer.add(ToneSource(3000, level: -12), name: "high")
        high.gain = -20
        for name in ["a.mkv", "b.mp4"] {
            try await draw(60, into: [MovieFile(folder.path(name), sound: [low, high, mixer])])
            let levels = try (0..<3).map { try HeardFile(folder.path(name), track: $0).rms(0.5..<1.5) }
            // A sine of -12 dB has an RMS of -15 dB.
            #expect(abs(Decibels(amplitude: levels[0]).value + 15) < 0.3, "\(levels)")
            #expect(abs(Decibels(amplitude: levels[1]).value + 35) < 0.5)
            #expect(abs(levels[2] - (levels[0] * levels[0] + levels[1] * levels[1]).squareRoot()) < 0.003)
        }
    }

    @Test("a mixer whose first session failed works in the next one, also in one of another pace")
    func again() async throws {
        let mixer = AudioMixer()
        let tone = mixer.add(ToneSource(500))
        let file = mixer.add(SoundFile(folder.path("late.wav")))
        await #expect(throws: SessionError.self) {
            try await draw(2, into: [MovieFile(folder.path("a.mp4"), sound: [mixer])])
        }
        try writeWAV(folder.path("late.wav"), seconds: 2, .mono, beep)
        for name in ["a.mp4", "b.mp4"] {
            try await draw(45, into: [MovieFile(folder.path(name), sound: [mixer])])
            #expect(try HeardFile(folder.path(name)).rms(0.2..<1.2) > 0.05)
        }
        let picture = Compositor { Layer(CustomSource("flash") { FlashProvider(frames: 20) }) }
        picture --> MovieFile(folder.path("c.mp4"), sound: [mixer])
        try await Session(picture).run(frames: 20)
        #expect(tone.status.state == .closed && file.status.problem == nil)
    }

    @Test("sound that cannot be opened is an error with the reason")
    func mistakes() async throws {
        let mixer = AudioMixer()
        mixer.add(SoundFile(folder.path("nothing.wav")))
        let tone = AudioMixer()
        tone.add(ToneSource(50_000))
        let cases: [(MovieFile, String)] = [
            (MovieFile(folder.path("a.mp4"), sound: [mixer]), "nothing.wav"),
            (MovieFile(folder.path("a.mp4"), sound: [tone]), "24000 Hz"),
            (
                MovieFile(folder.path("a.webm"), sound: [AudioMixer()], soundEncoding: AudioEncoding(.aac)),
                "cannot hold AAC"
            ),
            (
                MovieFile(folder.path("a.mp4"), sound: [AudioMixer()], soundEncoding: AudioEncoding(bitRate: 1)),
                "sound of 1 bits"
            ),
        ]
        for (sink, reason) in cases {
            let error = await #expect(throws: SessionError.self) { try await draw(2, into: [sink]) }
            #expect(error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
        }
    }
}
#endif
