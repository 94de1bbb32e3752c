import PipCompose
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Stills")
struct StillArgumentTests {
    @Test("a still has a picture, a file and options")
    func reads() throws {
        let still = try StillArgument("inset2:s-%H%M%S.jpeg?quality=70&size=largest")
        #expect(still.picture == .inset(1))
        #expect(still.path == "s-%H%M%S.jpeg")
        #expect(still.format == .jpeg(quality: 70))
        #expect(still.isLargest)
        #expect(try StillArgument("a.PNG").format == .png)
        #expect(try StillArgument("a.jpg").picture == nil)
    }

    @Test("invalid stills are refused with the allowed values", arguments: Self.mistakes)
    func refuses(_ text: String, _ reason: String) {
        let said = mistake { () throws(UsageError) in _ = try StillArgument(text) }
        #expect(said.contains(reason), "\(said)")
    }

    @Test(
        "a camera's options are refused for other sources, except for patterns",
        arguments: ["clip.y4m", "rtsp://a/b", "camera:portal"],
        ["size=largest", "flash=on"])
    func ofCameras(_ source: String, _ option: String) throws {
        /// The error message for a still when the inset's camera has the given source; nil for a valid still.
        func mistake(_ source: String, _ still: String) throws -> String? {
            let text = "cameras: {road: {source: camera:1}, inside: {source: '\(source)'}}"
            var rig = try RigFile(text, path: "rig.yaml").rig
            rig.stills = [try StillArgument(still)]
            do throws(RigError) { try rig.check() } catch { return error.description }
            return nil
        }
        #expect(
            try mistake(source, "inset:a.png?\(option)")
                == "the still a.png: \(option) is for a camera such as camera:0 or /dev/video0, but inside is \(source)"
        )
        #expect(try mistake(source, "inset:a.png") == nil)
        #expect(try mistake(source, "main:a.png?\(option)") == nil)
        #expect(try mistake("camera:0", "inset:a.png?\(option)") == nil)
        #expect(try mistake("pattern:bars", "inset:a.png?\(option)") == nil)
    }

    private static let mistakes = [
        ("", "a file's name is missing"), ("--output", "a file's name is missing"), ("a.mp4", "a .jpg or .png file"),
        ("a.jpg?quality=0", "quality"), ("a.png?quality=3", "no option quality"), ("a.jpg?size=largest", "one camera"),
        ("main:a.jpg?size=640x480", "size=largest"), ("a%Q.jpg", "%Q is not a field"),
    ]
}
