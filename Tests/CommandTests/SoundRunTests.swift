#if Media
import Foundation
import PipTestSupport
import Testing

@Suite("Sound by the command")
struct SoundRunTests {
    private static let picture = "--main pattern:bars?size=64x48 --fps max --frames 60 --quiet "
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The codecs of a file's tracks of sound.
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
        let run = try await folder.run(
            Self.picture + "--audio tone:1000,gain=-6dB,name=a --audio silence,name=b --output a.mp4 "
                + "--output b.mp4?audio=off --output c.webm?audio=a&audio-bitrate=64k --output d.mkv?audio=tracks "
                + "--output e.wav --output f.y4m --stats stats.json")
        #expect(run.status == 0, "\(run.errors)")
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

    @Test("the sound of a movie that comes in goes out with it")
    func movie() async throws {
        let first = try await folder.run(Self.picture + "--audio tone:1000 --output a.mp4")
        #expect(first.status == 0, "\(first.errors)")
        let run = try await folder.run(
            "--main pattern:bars?size=64x48 --inset a.mp4 --audio movie:inset,name=clip --fps max --frames 50 --quiet "
                + "--output b.mp4 --stats stats.json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try await tracks("b.mp4") == ["aac"])
        let stats = String(decoding: try folder.read("stats.json"), as: UTF8.self)
        #expect(stats.contains("\"name\": \"clip\"") && !stats.contains("\"peak_db\": null"), "\(stats)")
    }

    @Test(
        "mistakes end with the status that scripts know",
        arguments: [
            ("--output a.mp4?audio=on", 64, "add --audio SOURCE"),
            ("--audio tone --output a.mp4?audio=driver", 64, "there are tone"),
            ("--audio tone --audio tone --output a.mp4", 64, "given twice"),
            ("--audio camera:main --output a.mp4", 64, "main is no camera"),
            ("--audio movie:main --output a.mp4", 64, "main is no movie"),
            ("--audio nothing.wav --output a.mp4", 73, "nothing.wav"),
            ("--output a.wav", 64, "add --audio SOURCE"),
            ("--audio tone --output a.wav?audio=off", 64, "one track"),
        ])
    func mistakes(_ arguments: String, _ status: Int32, _ reason: String) async throws {
        let run = try await folder.run(Self.picture + arguments)
        #expect(run.status == status && run.errors.contains(reason), "\(run.status): \(run.errors)")
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
            // Three seconds of pictures.
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
        // 69 where the machine has no sound at all.
        #expect([66, 69].contains(run.status) && run.errors.contains("microphone"), "\(run.status): \(run.errors)")
    }
}
#endif
