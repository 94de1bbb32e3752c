import PipCompose
import PipPatterns
import PipTestSupport
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("Sources")
struct SourceArgumentTests {
    @Test(
        "cameras are named by path, number, name and bus",
        arguments: [
            ("/dev/video0", CameraSelector.path("/dev/video0")), ("camera:0", .index(0)),
            ("camera:C920", .name("C920")),
            ("camera:usb-0000:00:14.0-2", .name("usb-0000:00:14.0-2")), ("camera:/dev/video3", .path("/dev/video3")),
            ("/dev/v4l/by-id/usb-x", .path("/dev/v4l/by-id/usb-x")),
        ])
    func readsCameras(_ text: String, _ selector: CameraSelector) throws {
        guard case .camera(let found, _) = try SourceArgument(text).kind else {
            Issue.record("\(text) is not a camera")
            return
        }
        #expect(found == selector)
    }

    @Test("a camera's query becomes its wish")
    func readsWishes() throws {
        let text = "camera:0?size=1280x720&fps=30000/1001&format=mjpeg&control.brightness=10&control.gain=-3"
        guard case .camera(_, let wish) = try SourceArgument(text).kind else {
            Issue.record("\(text) is not a camera")
            return
        }
        #expect(wish.size == .hd720)
        #expect(wish.frameRate == FrameRate(30000, per: 1001))
        #expect(wish.format == FourCC("MJPG"))
        #expect(wish.controls.map(\.name) == ["brightness", "gain"])
        #expect(wish.controls.map(\.value) == [10, -3])
    }

    @Test(
        "camera formats are named as here or as V4L2 does",
        arguments: [
            ("yuyv", "YUYV"), ("nv12", "NV12"), ("i420", "YU12"), ("gray", "GREY"), ("YU12", "YU12"), ("H264", "H264"),
            ("mjpg", "MJPG"), ("jpeg", "JPEG"), ("h264", "H264"), ("h265", "HEVC"), ("hevc", "HEVC"), ("Y16", "Y16 "),
        ])
    func readsFormats(_ name: String, _ code: String) throws {
        #expect(try deviceFormat(name) == FourCC(code))
    }

    @Test("a pattern's query becomes its options")
    func readsPatterns() throws {
        guard
            case .pattern(let pattern, let options) = try SourceArgument(
                "pattern:noise?size=64x32&fps=15&seed=7&format=nv12"
            ).kind
        else {
            Issue.record("the argument is not a pattern")
            return
        }
        #expect(pattern == .noise)
        #expect(options.size == PixelSize(64, 32))
        #expect(options.frameRate == FrameRate(15))
        #expect(options.seed == 7)
        #expect(options.format == .nv12)
    }

    @Test("files are told by their endings, or by force", arguments: Self.files)
    func readsFiles(_ text: String, _ kind: String) throws {
        #expect("\(try SourceArgument(text).kind)" == kind)
    }

    private static let files = [
        ("clip.y4m", #"y4m(path: "clip.y4m", loops: false)"#),
        ("clip.y4m?loop=true", #"y4m(path: "clip.y4m", loops: true)"#),
        ("clip.y4m?loop", #"y4m(path: "clip.y4m", loops: true)"#),
        ("-", #"y4m(path: "-", loops: false)"#),
        ("what?.y4m?", #"y4m(path: "what?.y4m", loops: false)"#),
        ("/dev/stdin?format=y4m", #"y4m(path: "/dev/stdin", loops: false)"#),
        ("a/photo.PNG", #"picture(path: "a/photo.PNG", nil, PipSources.PictureEnding.loops)"#),
        ("a.webp", #"picture(path: "a.webp", nil, PipSources.PictureEnding.loops)"#),
        ("photos/", #"picture(path: "photos/", nil, PipSources.PictureEnding.ends)"#),
        ("p/%d.png", #"picture(path: "p/%d.png", nil, PipSources.PictureEnding.ends)"#),
        ("photo.jpeg", #"picture(path: "photo.jpeg", nil, PipSources.PictureEnding.loops)"#),
        ("picture?format=png", #"picture(path: "picture", nil, PipSources.PictureEnding.loops)"#),
    ]

    #if Media
    @Test(
        "movies are told by their endings, streams by their protocols",
        arguments: [
            ("a.mp4", "movie"), ("a.mov?loop=on", "movie"), ("a.MKV?loop=true&from=0s&to=1m", "movie"),
            ("clip.dat?format=movie", "movie"),
            ("rtsp://a:b@cam/live", "stream"), ("https://h/a.m3u8?token=1", "stream"),
            ("gst:videotestsrc ! a?b=c", "stream"), ("camera:libcamera:imx219?size=640x480&fps=30", "stream"),
            ("camera:portal", "stream"), ("camera:portal?fps=30", "stream"), ("camera:portal:C920", "stream"),
            ("camera:portal2", "camera"),
        ])
    func readsMovies(_ text: String, _ kind: String) throws {
        #expect("\(try SourceArgument(text).kind)".hasPrefix("\(kind)("))
    }

    @Test(
        "what follows the last question mark of an address is an option if all of it is ours",
        arguments: [
            ("rtsp://cam/a?latency=50ms", "rtsp://cam/a", "latency=50ms"),
            ("rtsp://cam/a?channel=1&subtype=0", "rtsp://cam/a?channel=1&subtype=0", ""),
            ("rtsp://cam/a?channel=1?fps=5&transport=udp", "rtsp://cam/a?channel=1", "fps=5&transport=udp"),
            ("rtsp://cam/a?fps=5&channel=1", "rtsp://cam/a?fps=5&channel=1", ""),
            ("rtsp://cam/a?fps=5?", "rtsp://cam/a?fps=5", ""), ("rtsp://cam/a", "rtsp://cam/a", ""),
        ])
    func splitsAddresses(_ text: String, _ address: String, _ options: String) throws {
        let found = try #require(SourceAddress.split(text))
        #expect(found.address.text == address)
        #expect(found.options == options)
    }

    @Test(
        "an address with a mistake in it is told without what is secret",
        arguments: [
            ("http://", "http://: it has no host: write one after http://"),
            ("udp://", "udp://: it has no host: write udp://0.0.0.0:5000"),
            ("rtsp://u:hidden@/x", "rtsp://…@/x: it has no host"),
            ("rtsp://u:hidden", "rtsp://…: its port must be a number from 1 to 65535"),
            ("rtsp://u:1234567", "rtsp://…: its port must be a number from 1 to 65535"),
            (
                "rtspp://u:hidden@cam/a?hidden",
                "rtspp://…@cam/a?…: there is no protocol rtspp for sources; did you mean rtsp?"
            ),
            ("ftp://u:hidden@h/a.mp4", "ftp://…@h/a.mp4: there is no protocol ftp for sources"),
            ("rtsp://u:${NO_SUCH_VARIABLE}@cam/a", "${NO_SUCH_VARIABLE}: there is no such environment variable"),
        ])
    func addressMistakes(_ text: String, _ message: String) {
        let found = mistake { () throws(UsageError) in _ = try SourceArgument(text) }
        #expect(found.contains(message), "\(found)")
        let shown = ParserMessage.short("The value '\(text)' is invalid for '--main <source>': \(found)")
        #expect(!shown.contains("hidden"), "\(shown)")
    }

    @Test("a password in an environment variable or a file is filled in, and never shown")
    func secretsOfSources() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("s?cret/1\n".utf8), to: "password")
        let source = try SourceArgument("rtsp://u:${file:\(folder.path("password"))}@cam/a?latency=1s")
        #expect(source.text == "rtsp://…@cam/a")
        #expect("\(source.kind)".contains("s%3Fcret%2F1"))
    }

    @Test("a password is in no message of a mistake")
    func hidesPasswords() throws {
        let text = "rtsp://admin:secret77@cam/a?token=abcdef?latency=soon"
        let found = mistake { () throws(UsageError) in _ = try SourceArgument(text) }
        #expect(found.contains("rtsp://…@cam/a?…"))
        #expect(!found.contains("secret77") && !found.contains("abcdef"))
        let message = ParserMessage.short("The value '\(text)' is invalid for '--main <source>': \(found)")
        #expect(message.hasPrefix("--main: rtsp://…@cam/a"), "\(message)")
        #expect(!message.contains("secret77") && !message.contains("abcdef"))
        #expect(try SourceArgument("rtsp://admin:secret77@cam/a").text == "rtsp://…@cam/a")
    }

    @Test(
        "mistakes in movies and streams are named",
        arguments: [
            ("a.mp4?to=1s&from=2s", "later than the start (\"from\"), 2.0 s"), ("a.mp4?fro=1s", "did you mean from?"),
            ("a.mp4?speed=2", "a movie has no option speed"), ("-?format=mp4", "name a file, or pipe Y4M"),
            ("gst: ", "elements are missing"), ("camera:libcamera:", "camera:libcamera:first"),
            ("camera:libcamera:x?format=yuyv", "libcamera gives raw or mjpeg"),
            ("camera:libcamera:x?control.focus_auto=1", "a libcamera camera has no option control.focus_auto"),
            ("camera:libcamera:x?metering=moon", "metering"),
            ("camera:portal:", "camera:portal for the default camera"),
            ("camera:portal?format=mjpeg", "a portal camera has no option format"),
            ("srt://h:1?latency=2h", "at most 60s"), ("rtsp://h?transport=ip", "tcp or udp"),
            ("a.mp4?from=3", "no unit"),
        ])
    func refusesMovies(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try SourceArgument(text) }.contains(reason))
    }
    #endif

    @Test("raw files take size, rate and loop from the query")
    func readsRawFiles() throws {
        guard
            case .raw(let path, let options) = try SourceArgument("dump.bin?format=gray&size=3x5&fps=25&loop=yes").kind
        else {
            Issue.record("the argument is not a raw file")
            return
        }
        #expect(path == "dump.bin")
        #expect(options == .init(format: .gray, size: PixelSize(3, 5), frameRate: FrameRate(25), loops: true))
    }

    @Test("mistakes are named, with the nearest name", arguments: Self.mistakes)
    func refuses(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try SourceArgument(text) }.contains(reason))
    }

    private static let mistakes = [
        ("", "a source is missing"), ("--fps", "the option --fps"), ("camera:", "the camera is missing"),
        ("pattern:sceen", "did you mean scene?"), ("pattern:", "known are bars, scene, ramp, noise"),
        ("camera:0?sice=1x1", "did you mean size?"), ("camera:0?format=yuvy", "did you mean"),
        ("camera:0?preset=hihg", "preset is hihg, but must be high, medium, low"),
        ("camera:0?preset=8k", "input-priority"),
        ("camera:0?control.gain=high", "whole number"), ("camera:0?size=0x0", "above zero"),
        ("camera:0?size=640x480&size=1x1", "size is given twice"), ("camera:0?fps", "not a frame rate"),
        ("camera:0?=3", "not an option"), ("camera:0?color-space=bt2021", "did you mean bt2020?"),
        ("pattern:bars?seed=-1", "0 to 1000000"), ("pattern:bars?size=3x2", "even"),
        ("pattern:bars?loop", "a pattern has no option loop"), ("pattern:bars?format=rgba", "i420"),
        ("raw.nv12", "do not tell their size"), ("raw.nv12?size=1281x720", "must be even"),
        ("clip.y4m?size=2x2", "a Y4M file has no option size"), ("photo.png?size=2x2", "a picture has no option size"),
        ("clip.y4m?loop=maybe", "on or off"), ("-?format=y4m&loop", "cannot be read again"),
        ("C920", "camera:C920"), ("clip.doc", "the ending .doc is unknown"), ("clip?format=y5m", "did you mean y4m?"),
    ]
}
