import PipCompose
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Outputs")
struct SinkArgumentTests {
    #if Media
    @Test("elements of GStreamer are an output, whose secrets are not shown")
    func elements() throws {
        let argument = try SinkArgument("main:gst:videoconvert ! srtsink uri=srt://host:9000 passphrase=hush-4711-hush")
        #expect(argument.picture == .main && !argument.text.contains("hush"), "\(argument.text)")
        guard case .elements = argument.kind else {
            Issue.record("\(argument.kind)")
            return
        }
        let error = #expect(throws: UsageError.self) { try SinkArgument("gst: ") }
        #expect(error.map { "\($0)".contains("elements are missing") } == true)
    }
    #endif

    @Test("outputs are recognized by their names, or by an explicit type", arguments: Self.kinds)
    func reads(_ text: String, _ kind: SinkArgument.Kind) throws {
        #expect(try SinkArgument(text).kind == kind)
    }

    private static let kinds: [(String, SinkArgument.Kind)] = [
        ("out.y4m", .y4m(path: "out.y4m")), ("-", .y4m(path: "-")), ("-?format=rgba", .raw(path: "-", .rgba)),
        ("frames/%05d.png", .png(pattern: "frames/%05d.png")), ("one.png", .png(pattern: "one.png")),
        ("%d.jpg?quality=75", .jpeg(pattern: "%d.jpg", quality: 75)), ("a.JPEG", .jpeg(pattern: "a.JPEG", quality: 90)),
        ("out.nv12", .raw(path: "out.nv12", .nv12)), ("out.i420", .raw(path: "out.i420", .i420)),
        ("out.rgba", .raw(path: "out.rgba", .rgba)), ("null:", .null(.i420)), ("null:?format=nv12", .null(.nv12)),
        ("out.y4m?on-full=wait", .y4m(path: "out.y4m", onFull: .wait)),
        ("out.nv12?on-full=stop", .raw(path: "out.nv12", .nv12)),
        ("%d.png?on-full=wait", .png(pattern: "%d.png", onFull: .wait)),
        ("%d.jpg?on-full=wait&quality=60", .jpeg(pattern: "%d.jpg", quality: 60, onFull: .wait)),
        ("/dev/full?format=y4m", .y4m(path: "/dev/full")), ("odd.mp3?format=i420", .raw(path: "odd.mp3", .i420)),
        ("/dev/video10", .virtualCamera(.path("/dev/video10"), .i420)),
        ("/dev/video10?format=nv12", .virtualCamera(.path("/dev/video10"), .nv12)),
        ("virtual-camera:my desk?format=yuyv", .virtualCamera(.label("my desk"), .yuyv)),
        ("virtual-camera:", .virtualCamera(.free, .i420)),
    ]

    @Test("windows and screens are outputs, with a title or a connector")
    func displays() throws {
        let window = try SinkArgument("inset:window:Both cameras?fullscreen&display=:1&rotate=90&size=641x360&fps=10")
        #expect(
            window.picture == .inset(0)
                && window.text == "window:Both cameras?fullscreen&display=:1&rotate=90&size=641x360&fps=10")
        #expect(window.size == PixelSize(641, 360) && window.frameRate == FrameRate(10) && window.path == nil)
        guard case .display(let display) = window.kind else {
            Issue.record("\(window.kind)")
            return
        }
        #expect(display.isWindow && display.sink.label == "window:Both cameras")
        guard case .display(let screen) = try SinkArgument("kms:/dev/dri/card1:HDMI-A-1?fit=fill").kind else {
            Issue.record("the argument is not a screen")
            return
        }
        #expect(!screen.isWindow && screen.sink.label == "kms:/dev/dri/card1:HDMI-A-1")
        #expect(try SinkArgument("window:").text == "window:")
    }

    @Test("each output may have its own size and rate")
    func adjusts() throws {
        let small = try SinkArgument("small.y4m?size=640x360&fps=10&on-full=wait")
        #expect(small.size == PixelSize(640, 360) && small.frameRate == FrameRate(10))
        #expect(small.kind == .y4m(path: "small.y4m", onFull: .wait))
        #expect(try SinkArgument("%d.png?size=33x17").size == PixelSize(33, 17))
        let plain = try SinkArgument("-")
        #expect(plain.size == nil && plain.frameRate == nil)
    }

    @Test("picture files may be taken at intervals, if they meet a condition")
    func intervals() throws {
        let plain = try #require(try SinkArgument("shots/%06d.jpg?every=10s").interval)
        #expect(plain.every == .seconds(10) && plain.condition == nil)
        #expect(try SinkArgument("%d.png?every=2h&when=light>0.1").interval?.condition == .light(above: 0.1))
        #expect(try SinkArgument("%d.png?every=2h&when=motion>0").interval?.condition == .motion(above: 0))
        #expect(try SinkArgument("%d.png?fps=0.1").interval == nil)
    }

    @Test("invalid outputs are refused with the allowed values", arguments: Self.mistakes)
    func refuses(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try SinkArgument(text) }.contains(reason))
    }

    #if !Media
    @Test(
        "movies and streams are refused with the missing trait in a program built without them",
        arguments: ["out.mp4", "live/index.m3u8", "rtmp://host/app/key", "srt://host:9000"])
    func missing(_ text: String) {
        #expect(mistake { () throws(UsageError) in _ = try SinkArgument(text) }.contains("the trait Media"))
    }
    #endif

    private static let mistakes = [
        ("", "an output is missing"), ("--frames", "the option --frames"), ("out", "no ending"),
        ("out.xyz", "the ending .xyz is unknown"),
        ("/dev/video10?size=33x16", "33x16"),
        ("window:?rotate=45", "rotate is 45, but must be 0, 90, 180 or 270"),
        ("window:?rotate=360", "must be 0, 90"), ("window:?fit=cover", "must be fill, fit or stretch"),
        ("window:?codec=h264", "a window has no option codec"),
        ("kms:?fullscreen", "a screen has no option fullscreen"),
        ("/dev/video10?format=rgba", "there is no format rgba"), ("virtual-camera:a?on-full=wait", "no option on-full"),
        ("out.bin?format=nv21", "did you mean nv12?"), ("out.y4m?quality=3", "a Y4M file has no option quality"),
        ("a%d.jpg?quality=0", "1 to 100"), ("null:x", "takes no name"), ("null:?format=png", "there is no format png"),
        ("-?format=png", "pictures need files"), ("out.y4m?on-full=wiat", "did you mean wait?"),
        ("-?on-full=wait", "standard output has no disk"), ("a.y4m?size=33x17", "33x17"), ("a.y4m?size=640", "640"),
        ("%d.png?every=0s", "above zero"), ("%d.png?every=-5s", "is not a time"), ("%d.png?every=10", "write 10s"),
        ("%d.png?every=8761h", "at most 8760h"), ("%d.png?every=1s&fps=1", "every and fps exclude each other"),
        ("%d.png?when=light>0.1", "when needs an interval"), ("%d.png?every=1s&when=light", "light>0.1"),
        ("%d.png?every=1s&when=sound>0.1", "motion>0.02"), ("%d.png?every=1s&when=light>2", "from 0 to 1"),
        ("%d.png?speed-up=9", "a PNG file has no option speed-up"), ("a.y4m?every=1s", "has no option every"),
        ("null:?fps=0", "fps"), ("a%d.jpg?fps=ten", "ten"), ("a.nv12?rate=10", "a raw file has no option rate"),
    ]

    @Test("standard output has two names", arguments: ["-", "/dev/stdout?format=y4m"])
    func knowsStandardOutput(_ text: String) throws {
        #expect(try SinkArgument(text).writesStandardOutput)
    }
}

#if Media
import PipMedia

@Suite("Files of a camera's frames")
struct CameraFileArgumentTests {
    @Test(
        "a camera's file takes every frame, unless an option requires drawing or encoding",
        arguments: [
            ("main:a.mp4", true), ("inset:%H%M.mkv?segment=3m&keep=20GB", true), ("main:a.mov?audio=off", true),
            ("main:a.mp4?fps=10", false), ("main:a.mp4?size=640x360", false), ("inset:a.mkv?bitrate=1M", false),
            ("main:a.webm", false), ("main:a.ts", false), ("main:a.mp4?frames=composed", false),
            ("main:a.webm?frames=every", true), ("main:a.mkv?frames=every&codec=h265", true), ("live/a.m3u8", false),
        ])
    func chooses(_ text: String, _ isEvery: Bool) throws {
        guard case .movie(let movie) = try SinkArgument(text).kind else {
            Issue.record("\(text) is not a movie file")
            return
        }
        #expect(movie.recordsCamera == isEvery)
    }

    @Test(
        "an option that conflicts with every frame is named",
        arguments: [
            ("main:a.mp4?frames=all", "every or composed"), ("main:a.mp4?frames=every&fps=10", "leave fps out"),
            ("live/a.m3u8?frames=every", "no option frames"),
        ])
    func refuses(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try SinkArgument(text) }.contains(reason))
    }
}

@Suite("Time-lapses as arguments")
struct TimeLapseArgumentTests {
    @Test(
        "an interval or a speed-up makes a time-lapse, which plays at 25 frames a second or at fps",
        arguments: [
            ("a.mp4?every=10s", TimeLapse(every: .seconds(10))), ("a.mkv?speed-up=250", TimeLapse(every: .seconds(10))),
            ("a.ts?every=1h&fps=50", TimeLapse(every: .seconds(3600), frameRate: FrameRate(50))),
            ("a.mp4?every=8760h&audio=off&speed=thorough&segment=1m", TimeLapse(every: .seconds(365 * 86_400))),
            ("main:a.mov?every=1s&when=motion>0.02", TimeLapse(every: .seconds(1), when: .motion(above: 0.02))),
        ])
    func reads(_ text: String, _ timeLapse: TimeLapse) throws {
        let sink = try SinkArgument(text)
        guard case .movie(let movie) = sink.kind else {
            Issue.record("\(text) is not a movie file")
            return
        }
        #expect(movie.timeLapse == timeLapse && sink.frameRate == nil && sink.interval == nil)
        // The pictures of a camera's own file are drawn, too, and the sound of the composition is for others.
        #expect(!movie.recordsCamera && movie.sound == .off)
    }

    @Test(
        "options that a time-lapse cannot have are named",
        arguments: [
            ("a.mp4?every=0s", "above zero"), ("a.mp4?every=-1s", "is not a time"),
            ("a.mp4?every=ten", "is not a time"),
            ("a.mp4?every=10ms", "slower than life"), ("a.mp4?every=30ms&fps=25", "slower than life"),
            ("a.mp4?every=8761h", "at most 8760h"), ("a.mp4?speed-up=0", "speed-up is 0"),
            ("a.mp4?speed-up=-3", "speed-up is -3"), ("a.mp4?speed-up=fast", "speed-up is fast"),
            ("a.mp4?speed-up=1000000000", "at most 365 days"), ("a.mp4?speed=250", "a time-lapse has speed-up=250"),
            ("a.mp4?every=1s&speed-up=25", "every and speed-up exclude each other"),
            ("a.mp4?every=1s&event=5s+5s", "leave event out"), ("a.mp4?every=1s&audio=on", "leave audio out"),
            ("a.mp4?every=1s&audio-bitrate=64k", "leave audio-bitrate out"),
            ("a.mp4?when=light>0.1", "when needs an interval"), ("a.mp4?every=1s&when=dark", "light>0.1"),
            ("main:a.mp4?every=1s&frames=every", "leave every out"), ("live/a.m3u8?every=1s", "no option every"),
        ])
    func refuses(_ text: String, _ reason: String) {
        let said = mistake { () throws(UsageError) in _ = try SinkArgument(text) }
        #expect(said.contains(reason), "\(said)")
    }
}

@Suite("Outputs by WHIP")
struct WHIPArgumentTests {
    @Test("the token and this program's options are taken from the address, and the server's options stay")
    func reads() throws {
        let text = "whip+https://live.example.org/whip/room?id=7&token=secret&codec=vp8&size=640x360&fps=15"
        let argument = try SinkArgument(text)
        let expected = try SinkArgument(
            "whip+https://live.example.org/whip/room?token=secret&fps=15&id=7&size=640x360&codec=vp8")
        #expect(argument.size == PixelSize(640, 360) && argument.frameRate == FrameRate(15))
        #expect(argument.text == "whip+https://live.example.org/…")
        guard case .whip(let whip) = argument.kind, case .whip(let other) = expected.kind else {
            Issue.record("the arguments are not WHIP outputs")
            return
        }
        #expect(whip.sink(nil).destination == .path("whip+https://live.example.org/whip/room?id=7"))
        #expect(whip.sink(nil).destination == other.sink(nil).destination)
    }

    @Test("mistakes are named without any secret", arguments: Self.mistakes)
    func refuses(_ options: String, _ reason: String) {
        let said = mistake { () throws(UsageError) in
            _ = try SinkArgument("whip+https://h/hidden?token=hidden&\(options)")
        }
        #expect(said.contains(reason), "\(said)")
        #expect(!said.contains("hidden"), "\(said)")
    }

    private static let mistakes = [
        ("codec=vp9", "cannot hold VP9; it holds h264, vp8"), ("bitrate=1", "between 10k and 1G"),
        ("token=other", "twice"), ("ice=hidden", "stun:host:port"), ("ice=turn:hidden@host", "user:password"),
        ("token=", "without a value"), ("size=big", "big"), ("id=${NO_SUCH_NAME}", "no such environment variable"),
    ]
}
#endif
