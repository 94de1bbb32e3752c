import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("Effects from files", .timeLimit(.minutes(3)))
struct FileEffectRunTests {
    private static let size = 64 * 32
    private static let frameBytes = size * 3 / 2
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: folder.url.appending(path: "gray.glsl")) }

    /// The GLSL source of an effect that fills the picture with the gray of an expression.
    private static func effect(_ gray: String) -> String {
        """
        // A gray.
        uniform float level;  // 0…1 = 0.5: how light

        vec4 EFFECT(vec4 color, vec2 position)
        {
            return vec4(vec3(\(gray)), color.a);
        }
        """
    }

    private func arguments(_ effect: String) -> [String] {
        [
            "--main", "pattern:bars?size=64x32&fps=30", "--effect", effect, "--output", "out.i420", "--log-format",
            "json", "--verbose",
        ]
    }

    /// The luma of the latest frame in the output file; nil before the first frame.
    private func lastLuma() throws -> UInt8? {
        guard let file = FileHandle(forReadingAtPath: folder.path("out.i420")) else { return nil }
        let count = Int(try file.seekToEnd()) / Self.frameBytes
        guard count > 0 else { return nil }
        try file.seek(toOffset: UInt64((count - 1) * Self.frameBytes))
        return try file.read(upToCount: 1)?.first
    }

    private func wait(for luma: UInt8) async throws {
        while try lastLuma().map({ abs(Int($0) - Int(luma)) > 1 }) ?? true {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test("are drawn, drawn anew when the file changes, and go on while it is broken, which is told with its line")
    func follows() async throws {
        try write(Self.effect("level"))
        let run = try await CommandProcess(arguments("main:./gray.glsl=level=1"), in: folder.url) { process in
            try await wait(for: 235)
            try write(Self.effect("level * 0.5"))
            try await wait(for: 126)
            try write(Self.effect("level * undeclared"))
            while !process.errors.contains("effect-rejected") { try await Task.sleep(for: .milliseconds(10)) }
            #expect(abs(Int(try lastLuma() ?? 0) - 126) <= 1, "it goes on as it was")
            try write(Self.effect("0.0"))
            try await wait(for: 16)
            process.send(SIGTERM)
        }
        #expect(run.status == 0)
        let told = run.errors.split(separator: "\n").filter { $0.contains("\"level\": \"error\"") }
        #expect(told.count == 1)
        #expect(told.first?.contains("gray.glsl:6:") == true && told.first?.contains("undeclared") == true)
        #expect(told.first?.contains("the effect stays as it was") == true)
    }

    @Test("that are wrong at the start end the run with the reason")
    func refused() async throws {
        try write(Self.effect("level * undeclared"))
        let broken = try await CommandProcess(arguments("main:./gray.glsl") + ["--frames", "1"], in: folder.url)
        #expect(broken.status == ExitStatus.usage.rawValue)
        #expect(broken.errors.contains("gray.glsl:6:"))
        try write(Self.effect("level"))
        for (effect, reason) in [
            ("main:./gray.glsl=2", "level is 2, but must be 0 to 1"), ("main:gray.glsl=lvel=1", "did you mean level?"),
            ("main:./none.glsl", "none.glsl: cannot read"),
        ] {
            let run = try await CommandProcess(arguments(effect) + ["--frames", "1"], in: folder.url)
            #expect(run.status == ExitStatus.usage.rawValue)
            #expect(run.errors.contains(reason), "\(run.errors)")
        }
    }

    @Test("are shown with their parameters")
    func shown() async throws {
        try write(Self.effect("level"))
        let text = try await CommandProcess(["effects", "./gray.glsl"], in: folder.url)
        #expect(text.status == 0)
        let page = String(decoding: text.output, as: UTF8.self)
        #expect(page.hasPrefix("./gray.glsl: A gray.\n"))
        #expect(page.contains("level  0 to 1  default 0.5  how light"), "\(page)")
        let json = try await CommandProcess(["effects", "./gray.glsl", "--json"], in: folder.url)
        let list = try JSONSerialization.jsonObject(with: json.output) as? [[String: Any]]
        #expect((list?.first?["parameters"] as? [[String: Any]])?.first?["name"] as? String == "level")
    }
}
