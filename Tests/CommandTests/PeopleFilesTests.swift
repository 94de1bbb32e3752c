#if Media
import Foundation
import PipCompose
import PipTestSupport
import Testing

/// Tests input files of common kinds.
///
/// FFmpeg makes each small file, pip-compose composes it, and FFmpeg decodes the result.
@Suite("Files that people have")
struct PeopleFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let scene = "-f lavfi -i testsrc2=size=320x240:rate=30"
    private static let tone = "-f lavfi -i sine=1000:sample_rate=48000"
    /// FFmpeg's arguments for a green disc on a transparent background.
    ///
    /// Blanks separate the arguments.
    private static let disc =
        "-f lavfi -i color=c=black@0:s=320x240:r=30,format=yuva444p,"
        + "geq=lum=150:cb=54:cr=34:a=\"if(lt(hypot(X-160\\,Y-120)\\,100)\\,255\\,0)\""

    // MARK: Programs

    private func shell(_ words: String) async throws -> CommandProcess {
        let run = try await CommandProcess(
            ["-ec", "ff() { ffmpeg -v error -nostdin -y \"$@\"; }; \(words)"], of: URL(filePath: "/bin/bash"),
            in: folder.url)
        try #require(run.status == 0, "\(words): \(run.errors)")
        return run
    }

    private func ffmpeg(_ words: String) async throws { _ = try await shell("ff \(words)") }

    private func compose(_ words: String) async throws {
        let run = try await CommandProcess(shell: "\(words) --quiet", in: folder.url)
        try #require(run.status == 0, "\(words): \(run.errors)")
    }

    /// The frames of a file as RGB samples, decoded by FFmpeg.
    private func pictures(_ name: String, _ options: String = "") async throws -> [[UInt8]] {
        try await ffmpeg("-i \(name) \(options) -fps_mode passthrough -f rawvideo -pix_fmt rgb24 pictures.rgb")
        let bytes = try folder.read("pictures.rgb")
        let size = 320 * 240 * 3
        return stride(from: 0, to: bytes.count - size + 1, by: size).map { Array(bytes[$0..<$0 + size]) }
    }

    private func color(_ picture: [UInt8], _ x: Int, _ y: Int) -> [Int] {
        picture[(y * 320 + x) * 3..<(y * 320 + x) * 3 + 3].map(Int.init)
    }

    private func meanDifference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(1, one.count))
    }

    private func probe(
        _ name: String, _ entry: String, _ options: String = "-select_streams v:0"
    ) async throws -> String {
        try await shell("ffprobe -v error \(options) -show_entries \(entry) -of csv=p=0 \(name)").text
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: Times

    /// Movies whose timestamps jump: the file name, the shell commands that make the movie, its number of frames, and
    /// true for a movie with sound.
    private static let jumps: [(name: String, make: String, frames: Int, hasSound: Bool)] = [
        (
            "wrap.ts",
            "ff \(scene) \(tone) -t 2 -c:v libx264 -bf 2 -g 30 -pix_fmt yuv420p -c:a aac -output_ts_offset 95442.7 wrap.ts",
            60, true
        ),
        (
            "restart.ts",
            "ff \(scene) -t 1 -c:v libx264 -g 30 -pix_fmt yuv420p a.ts; ff -f lavfi -i mandelbrot=size=320x240:rate=30 "
                + "-t 1 -c:v libx264 -g 30 -pix_fmt yuv420p b.ts; cat a.ts b.ts > restart.ts",
            60, false
        ),
        // Variations: MPEG-2 with another offset, H.265 with MPEG sound, three parts that jump back and forth.
        ("mpeg2.ts", "ff \(scene) -t 2 -c:v mpeg2video -g 15 -b:v 2M -output_ts_offset 95443.3 mpeg2.ts", 60, false),
        (
            "hevc.ts",
            "ff \(scene) \(tone) -t 2 -c:v libx265 -x265-params log-level=none -g 30 -pix_fmt yuv420p -c:a mp2 "
                + "-output_ts_offset 95442 hevc.ts",
            60, true
        ),
        (
            "three.ts",
            "ff \(scene) -t 1 -c:v libx264 -g 15 -pix_fmt yuv420p -output_ts_offset 500 c.ts; "
                + "ff \(scene) -t 1 -c:v libx264 -g 15 -pix_fmt yuv420p -output_ts_offset 20 d.ts; cat c.ts d.ts c.ts > three.ts",
            90, false
        ),
        // Programs that change: MPEG-2 and MPEG sound before H.264 and AAC, H.264 before H.265.
        (
            "programs.ts",
            "ff \(scene) \(tone) -t 1 -c:v mpeg2video -g 15 -b:v 2M -c:a mp2 e.ts; ff -f lavfi -i "
                + "mandelbrot=size=320x240:rate=30 \(tone) -t 1 -c:v libx264 -g 30 -pix_fmt yuv420p -c:a aac "
                + "-mpegts_start_pid 0x200 f.ts; cat e.ts f.ts > programs.ts",
            60, true
        ),
        (
            "codecs.ts",
            "ff \(scene) -t 1 -c:v libx264 -g 30 -pix_fmt yuv420p g.ts; ff -f lavfi -i "
                + "mandelbrot=size=320x240:rate=30 -t 1 -c:v libx265 -x265-params log-level=none -g 30 -pix_fmt yuv420p "
                + "h.ts; cat g.ts h.ts > codecs.ts",
            60, false
        ),
    ]

    @Test("every frame of a movie whose times jump, at an even pace", arguments: jumps.indices)
    func times(_ index: Int) async throws {
        let (name, make, frames, hasSound) = Self.jumps[index]
        _ = try await shell(make)
        try await compose("--main \(name)\(hasSound ? " --audio movie:main" : "") --output out.mkv")
        let read = Int(try await probe("out.mkv", "stream=nb_read_frames", "-count_frames -select_streams v:0")) ?? 0
        // After a jump forward, the engine keeps a gap of up to half a second and repeats the last frame meanwhile
        // (TimeRepair). The H.264 decoder delays frames by one frame more than the MPEG-2 decoder.
        let repeats = ["three.ts": 13, "programs.ts": 1][name] ?? 0
        #expect((0...repeats).contains(read - frames), "\(name): \(read) frames for \(frames)")
        let times = try await probe("out.mkv", "packet=pts_time").split(separator: "\n").compactMap {
            Double($0.prefix { $0 != "," })
        }
        .sorted()
        let longest = zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? 9
        #expect(longest < 0.45, "\(name): a gap of \(longest) s")
        if hasSound {
            let sound = try await samples("out.mkv")
            let (missing, gaps) = (abs(sound.count - frames * 1600), silences(sound))
            #expect(missing < 4800 && gaps == 0, "\(name): \(missing) samples beside the pictures, \(gaps) gaps")
        }
    }

    // MARK: Sound

    /// A file's sound as mono samples at 48 kHz.
    private func samples(_ name: String) async throws -> [Int16] {
        try await ffmpeg("-i \(name) -vn -f s16le -ac 1 -ar 48000 sound.raw")
        let bytes = try folder.read("sound.raw")
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    /// The number of silent parts of 20 ms.
    ///
    /// The first and the last 0.1 s do not count.
    private func silences(_ samples: [Int16]) -> Int {
        stride(from: 4800, to: max(4801, samples.count - 4800 - 960), by: 960)
            .count { start in samples[start..<min(samples.count, start + 960)].allSatisfy { abs(Int($0)) < 200 } }
    }

    @Test(
        "sound by itself: two seconds of 1000 Hz",
        arguments: [
            ("tone.m4a", "-c:a aac"), ("tone.mp3", "-c:a libmp3lame"), ("tone.flac", ""), ("tone.opus", "-c:a libopus"),
            ("tone.ogg", "-c:a libvorbis"),
            // Variations: other containers and codecs, other sample rates, and stereo.
            ("tone.mka", "-c:a flac"), ("tone.wma", "-c:a wmav2 -ar 44100 -ac 2"), ("tone.aiff", "-ar 22050"),
            ("tone.ac3", "-c:a ac3"),
        ])
    func sound(_ name: String, _ options: String) async throws {
        try await ffmpeg("\(Self.tone) -t 2 \(options) \(name)")
        try await compose("--main pattern:bars?size=64x48 --audio \(name) --duration 2s --fps max --output out.mkv")
        let samples = try await samples("out.mkv").prefix(48000 * 19 / 10).dropFirst(4800)
        let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        let seconds = Double(samples.count) / 48000
        let frequency = Double(crossings) / seconds
        #expect(abs(frequency - 1000) < 2, "\(name): \(frequency) Hz")
        #expect(seconds > 1.75, "\(name): \(seconds) s")
    }

    // MARK: Transparency

    @Test(
        "a movie with transparency shows what is below it",
        arguments: [
            ("vp9.webm", "-c:v libvpx-vp9 -pix_fmt yuva420p -auto-alt-ref 0"),
            ("vp8.webm", "-c:v libvpx -pix_fmt yuva420p -auto-alt-ref 0"),
            ("animation.mov", "-vf format=argb -c:v qtrle"), ("png.mov", "-vf format=rgba -c:v png"),
            // Variations: ProRes 4444, another container, an animated WebP, an animated PNG.
            ("prores.mov", "-c:v prores_ks -profile:v 4 -pix_fmt yuva444p10le"),
            ("vp8.mkv", "-c:v libvpx -pix_fmt yuva420p -auto-alt-ref 0"), ("png.mkv", "-vf format=rgba -c:v png"),
            ("disc.webp", "-vf format=rgba,fps=10 -c:v libwebp_anim -lossless 1"),
            ("disc.apng", "-vf format=rgba,fps=10 -c:v apng -plays 0"),
        ])
    func transparency(_ name: String, _ options: String) async throws {
        try await ffmpeg("\(Self.disc) -t 0.5 \(options) \(name)")
        try await ffmpeg("-f lavfi -i color=c=0x2040c0:s=320x240 -frames:v 1 below.png")
        let inset = "--layout center,width=100%,margin=0 --frames 10 --fps 30"
        var lines = ["--main below.png --inset \(name) \(inset)"]
        if name.hasPrefix("disc.") { lines.append("--main below.png --sticker \(name),center --frames 10 --fps 30") }
        for (number, line) in lines.enumerated() {
            try await compose("\(line) --output out\(number)-%02d.png")
            let shown = try #require(try await pictures("out\(number)-10.png").first)
            let (below, disc) = (color(shown, 10, 10), color(shown, 160, 120))
            let isBelow = zip(below, [0x20, 0x40, 0xc0]).allSatisfy { abs($0 - $1) <= 4 }
            #expect(isBelow, "\(line): \(below) beside the disc")
            let isGreen = disc[1] > 180 && disc[0] < 60 && disc[2] < 60
            #expect(isGreen, "\(line): \(disc) on the disc")
        }
        guard !name.hasPrefix("disc.") else { return }
        try await compose("--main below.png --inset \(name)?alpha=ignore \(inset) --output opaque-%02d.png")
        let opaque = color(try #require(try await pictures("opaque-10.png").first), 10, 10)
        #expect(opaque[2] < 0xc0 - 20, "\(name): \(opaque) with alpha=ignore")
    }

    // MARK: Pictures

    @Test(
        "ten pictures in a second, again and again, as main picture, inset and sticker",
        arguments: [
            ("anim.webp", "-c:v libwebp_anim -lossless 1 -loop 0"),
            ("anim.gif", "-vf 'split[a][b];[a]palettegen[p];[b][p]paletteuse'"), ("anim.apng", "-c:v apng -plays 0"),
            // Variations: an animation that plays once, an animation with a still picture's file name, an animation
            // with few colours.
            ("once.gif", "-loop -1"), ("still.png", "-c:v apng -f apng -plays 1"), ("gray.gif", "-vf format=gray"),
        ])
    func animations(_ name: String, _ options: String) async throws {
        try await ffmpeg(
            "-f lavfi -t 1 -i testsrc2=size=320x240:rate=10 \(options) \(name)"
        )
        try await ffmpeg("-f lavfi -i color=c=black:s=320x240 -frames:v 1 below.png")
        for (number, line) in [
            "--main \(name)", "--main below.png --inset \(name) --layout center,width=100%,margin=0",
            "--main below.png --sticker \(name),center",
        ].enumerated() {
            try await compose("\(line) --frames 25 --fps 10 --size 320x240 --output out\(number).y4m")
            let shown = try await pictures("out\(number).y4m")
            try #require(shown.count == 25, "\(line): \(shown.count) frames")
            for index in 0..<15 {
                #expect(shown[index] == shown[index + 10], "\(line): frames \(index) and \(index + 10)")
            }
            for index in 0..<9 { #expect(shown[index] != shown[index + 1], "\(line): frame \(index) twice") }
        }
    }

    @Test(
        "pictures of other kinds are the same picture",
        arguments: [
            ("still.bmp", ""), ("still.avif", "-c:v libaom-av1 -still-picture 1"), ("deep.png", "-pix_fmt rgb48be"),
            ("still.tiff", "-pix_fmt rgb24"), ("plain.jpg", "-pix_fmt yuvj420p -q:v 1"),
            // Variations: 16-bit TIFF, compressed TIFF, a still GIF, lossy WebP.
            ("deep.tiff", "-pix_fmt rgb48le"), ("packed.tif", "-pix_fmt rgb24 -compression_algo deflate"),
            ("still.gif", ""), ("still.webp", "-c:v libwebp -quality 95"),
        ])
    func stills(_ name: String, _ options: String) async throws {
        try await ffmpeg("\(Self.scene) -frames:v 1 \(options) \(name)")
        try await ffmpeg("\(Self.scene) -frames:v 1 reference.png")
        try await ffmpeg("-f lavfi -i color=c=black:s=320x240 -frames:v 1 below.png")
        let reference = try #require(try await pictures("reference.png").first)
        let lines = ["--main \(name)", "--main below.png --watermark \(name),center,width=100%,margin=0"]
        for (number, line) in lines.enumerated() {
            try await compose("\(line) --frames 1 --output out\(number)-%d.png")
            let shown = try #require(try await pictures("out\(number)-1.png").first)
            let difference = meanDifference(shown, reference)
            #expect(difference < 6, "\(line): differs by \(difference)")
        }
    }

    // MARK: Y4M

    @Test(
        "Y4M of every sampling and depth: six frames in their colours",
        arguments: [
            "yuv422p", "yuv444p", "yuv411p", "gray", "yuv420p10le", "yuv422p10le", "yuv444p10le",
            // Variations: other bit depths, and alpha.
            "yuv420p12le", "yuv444p16le", "gray10le", "yuva444p",
        ])
    func y4m(_ format: String) async throws {
        try await ffmpeg("\(Self.scene) -t 0.2 -pix_fmt \(format) -strict -1 in.y4m")
        let reference = try await pictures("in.y4m")
        try await compose("--main in.y4m --output out-%03d.png")
        for index in 1...6 {
            let shown = try #require(try await pictures("out-00\(index).png").first)
            let difference = meanDifference(shown, reference[index - 1])
            #expect(difference < 6, "\(format): frame \(index) differs by \(difference)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("out-007.png")))
    }

    // MARK: Phones

    @Test("a phone's movie of a varying rate stands upright, and lasts as long as it says", arguments: [90, 270, 180])
    func phone(_ turn: Int) async throws {
        try await ffmpeg(
            "\(Self.scene) \(Self.tone) -t 3 -vf \"select='not(mod(n\\,3))+lt(n\\,30)'\" -fps_mode vfr -c:v libx264 "
                + "-pix_fmt yuv420p -c:a aac flat.mp4")
        // FFmpeg 5 lacks the option `-display_rotation`, and FFmpeg 6 no longer writes the tag `rotate`.
        let (copy, tag) = ("-i flat.mp4 -c copy", "-metadata:s:v rotate=\(turn)")
        try await ffmpeg("-display_rotation -\(turn) \(copy) phone.mp4 || ff \(copy) \(tag) phone.mp4")
        try await compose("--main phone.mp4 --audio movie:main --output out.mkv")
        #expect(try await probe("out.mkv", "stream=width,height") == (turn == 180 ? "320,240" : "240,320"))
        let length = Double(try await probe("out.mkv", "format=duration", "")) ?? 0
        let sound = try await samples("out.mkv").count
        #expect(abs(length - 3) < 0.1 && abs(sound - 3 * 48000) < 4800, "\(length) s, \(sound) samples")
    }
}
#endif
