import ArgumentParser
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("Options that fit each other")
struct CompositionOptionsTests {
    /// The message for an incorrect command line; empty for a correct command line.
    private func complaint(_ line: String) -> String {
        let arguments = line.split(separator: " ").map(String.init)
        do {
            _ = try RootCommand.parseAsRoot(arguments)
            return ""
        } catch {
            return ParserMessage.short(RootCommand.message(for: error))
        }
    }

    @Test(
        "what fits is taken",
        arguments: [
            "--output null:", "--main pattern:bars --output - --stats numbers.json",
            "--main pattern:bars --output out.y4m --stats -",
            "compose --main pattern:bars --inset pattern:scene --inset - --layout top-left --layout bottom --effect inset2:mirror",
            "--main pattern:bars --inset pattern:ramp --layout grid --when-missing main:promote --when-missing inset:hide",
            "--effect inset:mirror --layout bottom-left --output null:",
            "--fps max --size 1080p --frames 5 --no-fuse --quiet", "--renderer cpu --output null:",
            "--threads 4 --output null:", "--light linear --output null:",
            "--renderer auto --output null:", "explain --renderer gl --output null:",
            "explain --main pattern:bars --format dot --output - --duration 1s", "devices --json", "effects sobel",
            "--main camera:0 --inset camera:0 --output -?format=nv12", "--fps 29.97 --verbose --log-format json",
        ])
    func accepts(_ line: String) {
        #expect(complaint(line) == "")
    }

    @Test("what does not fit is refused", arguments: Self.mistakes)
    func refuses(_ line: String, _ reason: String) {
        #expect(complaint(line).contains(reason))
    }

    private static let mistakes = [
        ("--inset pattern:bars", "--inset needs a main picture"),
        ("--main pattern:bars --effect inset:mirror", "there is no inset; add one"),
        ("--effect inset2:mirror", "there is one inset"),
        ("--main - --inset pattern:bars --inset pattern:bars --effect inset3:mirror", "there are 2 insets"),
        ("--main pattern:bars --layout top-left", "--layout is given once, but there are 0 insets"),
        ("--layout top-left --layout left", "but there is 1 inset"),
        ("--layout grid --layout left", "give --layout only once"),
        ("--main pattern:bars --when-missing inset:hide", "there is no inset"),
        ("--output - --output -", "one stream only"), ("--output - --output /dev/stdout?format=y4m", "one stream only"),
        ("--output a.y4m --output a.y4m", "two outputs write a.y4m"),
        ("--output a.y4m --output a.y4m?format=nv12", "two outputs write a.y4m"),
        ("--main - --inset -", "one picture or sound only"),
        ("--main a.y4m --output a.y4m", "would be overwritten"),
        ("--watermark a.png --output a.png", "would be overwritten"),
        ("--sticker f/%d.png --output f/%d.png", "would be overwritten"),
        ("--mask main:a.png --output a.png", "would be overwritten"),
        ("--main camera:0 --inset camera:0?fps=15", "one camera with two sets of options"),
        ("--output - --stats -", "both want standard output"),
        ("--duration 1s --frames 3", "exclude each other: give one"),
        ("--quiet --verbose", "exclude each other: give one"),
        ("--renderer gpu --output null:", "'auto', 'gl' or 'cpu'"),
        ("--light gamma --output null:", "one of 'encoded' and 'linear'"),
        ("--threads 0 --output null:", "--threads is 0, but must be 1 to 256"),
        ("--threads all --output null:", "'all'"),
        ("--frames 0", "must be 1 to"), ("--frames x", "frames is x, but must be 1 to 1000000000"),
        ("--stats --quiet", "--stats: a file is missing"),
        ("--siz 720p", "Did you mean '--size'?"), ("devics", "did you mean devices?"),
        ("--log-format xml", "--log-format xml: Please provide one of 'text' and 'json'."),
        ("--size 3x3", "--size 3x3: width and height must be even"),
        ("--effect main:vignete", "--effect main:vignete: there is no effect vignete; did you mean vignette?"),
    ]
}
