#if Media
import Foundation
import PipTestSupport
import Testing

@Suite("Sound by the command")
struct SoundRunTests {
    private static let picture = "--main pattern:bars?size=64x48 --fps max --frames 60 --quiet "
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The codecs of the audio tracks of a file.
    private func tracks(_ name: String) async throws -> [String] {
        let run = try await CommandProcess(
            [
                "ffprobe", "-v", "quiet", "-select_streams", "a", "-show_entries", "stream=codec_name", "-of",
                "csv=p=0", name,
            ], of: URL(filePath: "/usr/bin/env"), in: folder.url)
        return run.text.split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test("movies have sound unless they are told otherwise, and a WAV file is nothing else")
    func outputs() async throws {
        try await folder.succeed(
            Self.picture + "--audio tone:1000,gain=-6dB,name=a --audio silence,name=b --output a.mp4 "
                + "--output b.mp4?audio=off --output c.webm?audio=a&audio-bitrate=64k --output d.mkv?audio=tracks "
                + "--output e.wav --output f.y4m --stats stats.json")
        for (name, codecs) in [
            ("a.mp4", ["aac"]), ("b.mp4", []), ("c.webm", ["opus"]), ("d.mkv", ["aac", "aac"]),
            ("e.wav", ["pcm_s16le"]),
        ] {
            #expect(try await tracks(name) == codecs, "\(name)")
        }
        let stats = String(decoding: try folder.read("stats.json"), as: UTF8.self)
        #expect(stats.contains("\"audio\"") && stats.contains("\"drift_ppm\""))
        #expect(stats.contains("\"peak_db\": -24.0"), "\(stats)")
    }

    /// The audio samples of a file, mono at 8 kHz.
    private func samples(_ name: String) async throws -> [Int] {
        let run = try await CommandProcess(
            ["ffmpeg", "-v", "error", "-i", name, "-ac", "1", "-ar", "8000", "-f", "s16le", "-y", "samples"],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        #expect(run.status == 0, "\(run.errors)")
        let bytes = try folder.read("samples")
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8))
        }
    }

    @Test(
        "a file of any kind is heard from its beginning, and a part of it again and again",
        arguments: [
            ("tone.m4a", "aac"), ("tone.mp3", "libmp3lame"), ("tone.flac", "flac"), ("tone.opus", "libopus"),
            ("tone.ogg", "libvorbis"), ("tone.mka", "ac3"), ("tone.mp4", "aac"), ("tone.wav", "pcm_s24le"),
        ])
    func files(name: String, codec: String) async throws {
        let picture = name.hasSuffix("mp4") ? ["-f", "lavfi", "-i", "color=s=64x48:d=2"] : []
        let made = try await CommandProcess(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=500:d=2"] + picture
                + ["-af", "volume=if(lt(t\\,1)\\,1\\,0.5):eval=frame", "-c:a", codec, "-y", name],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        #expect(made.status == 0, "\(made.errors)")
        try await folder.succeed(
            Self.picture + "--audio \(name) --output whole.wav --stats stats.json")
        try await folder.succeed(
            Self.picture + "--audio \(name),from=500ms,to=1500ms,loop --output part.wav")
        func loudness(_ samples: ArraySlice<Int>) -> Double {
            (Double(samples.reduce(0) { $0 + $1 * $1 }) / Double(samples.count)).squareRoot()
        }
        let whole = try await samples("whole.wav")
        #expect(abs(whole.count - 16_000) < 300, "\(whole.count)")
        let rises = zip(whole[800..<15_200], whole[801..<15_201]).count { $0 < 0 && $1 >= 0 }
        #expect((890...910).contains(rises), "500 Hz: \(rises) periods in 1.8 s")
        let full = loudness(whole[1600..<6400])
        #expect(full > 1000)
        #expect(abs(loudness(whole[9600..<14_400]) / full - 0.5) < 0.05)
        // The repeated part alternates every half second between the loud and the soft half.
        let repeated = try await samples("part.wav")
        for (quarter, share) in [1, 0.5, 1, 0.5].enumerated() {
            let middle = repeated[4000 * quarter + 800..<4000 * quarter + 3200]
            #expect(abs(loudness(middle) / full - share) < 0.05, "\(name), quarter \(quarter)")
        }
    }

    @Test("what is neither a file nor a microphone is told as both")
    func neither() async throws {
        let run = try await folder.run(Self.picture + "--audio nothing.xyz --output a.mp4")
        #expect(run.status == 64 && run.errors.contains("there is no file of this name"), "\(run.errors)")
        #expect(run.errors.contains("microphone"), "\(run.errors)")
        let missing = try await folder.run(Self.picture + "--audio missing.mp3 --output a.mp4")
        #expect(missing.status != 0 && missing.errors.contains("missing.mp3"), "\(missing.errors)")
    }

    @Test("the sound of a movie that comes in goes out with it")
    func movie() async throws {
        try await folder.succeed(Self.picture + "--audio tone:1000 --output a.mp4")
        try await folder.succeed(
            "--main pattern:bars?size=64x48 --inset a.mp4 --audio movie:inset,name=clip --fps max --frames 50 --quiet "
                + "--output b.mp4 --stats stats.json")
        #expect(try await tracks("b.mp4") == ["aac"])
        let stats = String(decoding: try folder.read("stats.json"), as: UTF8.self)
        #expect(stats.contains("\"name\": \"clip\"") && !stats.contains("\"peak_db\": null"), "\(stats)")
    }

    @Test(
        "mistakes end with the status that scripts know",
        arguments: [
            ("--output a.mp4?audio=on", 64, "add a source of sound"),
            ("--audio tone --output a.mp4?audio=driver", 64, "the sources are tone"),
            ("--audio tone --audio tone --output a.mp4", 64, "given twice"),
            ("--audio camera:main --output a.mp4", 64, "main is not a camera"),
            ("--audio movie:main --output a.mp4", 64, "main is neither a movie nor a stream"),
            ("--audio nothing.wav --output a.mp4", 66, "nothing.wav: cannot open: No such file"),
            ("--audio nothing.mp3 --output a.mp4", 66, "nothing.mp3: cannot open: No such file"),
            ("--audio no/nothing.wav,loop --output a.wav", 66, "no/nothing.wav: cannot open: No such file"),
            ("--audio - --audio -,name=b --output a.mp4", 64, "one picture or sound only"),
            ("--output a.wav", 64, "add a source of sound"),
            ("--audio tone --output a.wav?audio=off", 64, "one track"),
        ])
    func mistakes(_ arguments: String, _ status: Int32, _ reason: String) async throws {
        let run = try await folder.run(Self.picture + arguments)
        #expect(run.status == status && run.errors.contains(reason), "\(run.status): \(run.errors)")
    }

    @Test("a file of sound that is not there or none is told once, and leaves what an output has overwritten")
    func brokenSound() async throws {
        try folder.write(Array("no sound".utf8), to: "broken.wav")
        try folder.write([1, 2, 3], to: "a.wav")
        for (name, status) in [("none.wav", Int32(66)), ("broken.wav", 65)] {
            let run = try await folder.run(Self.picture + "--audio \(name) --output a.wav")
            #expect(run.status == status, "\(run.status): \(run.errors)")
            let lines = run.errors.split(separator: "\n")
            #expect(lines.count == 1 && lines[0].hasPrefix("error: \(name): cannot "), "\(run.errors)")
            #expect(try folder.read("a.wav") == [1, 2, 3])
        }
    }

    @Test(
        "after kill -9 a file has picture and sound up to half a second before",
        arguments: ["a.mp4", "a.mov", "a.mkv", "a.ts"])
    func killed(_ name: String) async throws {
        let arguments = [
            "--main", "pattern:scene?size=64x48", "--audio", "beep", "--audio", "silence", "--quiet", "--output",
            "\(name)?speed=fastest&audio=tracks",
            "--output", "a.i420",
        ]
        let run = try await CommandProcess(arguments, in: folder.url) { running in
            // 90 frames are three seconds.
            try await waitUntil { folder.size("a.i420") > 90 * 64 * 48 * 3 / 2 }
            running.send(SIGKILL)
        }
        #expect(run.status == -SIGKILL)
        for stream in ["v:0", "a:0"] {
            let times = try await CommandProcess(
                [
                    "ffprobe", "-v", "quiet", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of",
                    "csv=p=0", name,
                ], of: URL(filePath: "/usr/bin/env"), in: folder.url
            ).text.split { $0 == "\n" || $0 == "," }.compactMap { Double($0) }
            let length = (times.max() ?? 0) - (times.min() ?? 0)
            #expect(length > 2.0, "\(stream) \(length)")
        }
    }

    @Test("a microphone that is not there is told with what there is")
    func missing() async throws {
        let run = try await folder.run(Self.picture + "--audio no-such-microphone --output a.mp4")
        // The program exits with 69 on a machine without sound hardware.
        #expect([66, 69].contains(run.status) && run.errors.contains("microphone"), "\(run.status): \(run.errors)")
    }
}
#endif
