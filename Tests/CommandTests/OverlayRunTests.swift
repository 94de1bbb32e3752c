import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("What lies over the pictures", .serialized)
struct OverlayRunTests {
    private static let main = "--main pattern:ramp?size=160x96 --fps max"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes numbered pictures with the program under test.
    private func pictures(_ pattern: String, _ frames: Int) async throws {
        let made = try await folder.run(
            "--main pattern:bars?size=32x16 --fps max --frames \(frames) --quiet --output \(pattern)")
        try #require(made.status == 0)
    }

    @Test("explain names texts, clocks, watermarks, stickers and masks")
    func explains() async throws {
        try await pictures("f/%02d.png", 3)
        let run = try await folder.succeed(
            "explain \(Self.main) --inset pattern:bars --mask inset:f/01.png --text Cam --clock %H:%M "
                + "--watermark f/01.png,top-left --sticker f/%02d.png")
        for name in ["text \"Cam\"", "clock \"%H:%M\"", "f/01.png", "f/%02d.png", "mask blend"] {
            #expect(run.text.contains(name), "\(name)")
        }
    }

    @Test("they are drawn, and each is reported by what it is")
    func draws() async throws {
        try await pictures("f/%02d.png", 3)
        try await folder.succeed("\(Self.main) --frames 3 --quiet --output plain.i420")
        let run = try await folder.succeed(
            "\(Self.main) --frames 3 --text I,top-left,margin=0,size=40 --sticker f/%02d.png,bottom-right,margin=0,fps=30 "
                + "--output out.i420")
        #expect(run.errors.contains("text "))
        #expect(run.errors.contains("sticker "))
        let (before, after) = (try folder.read("plain.i420"), try folder.read("out.i420"))
        try #require(before.count == after.count)
        let frame = 160 * 96 * 3 / 2
        func differs(_ index: Int, _ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
            rows.contains { y in
                columns.contains { before[index * frame + y * 160 + $0] != after[index * frame + y * 160 + $0] }
            }
        }
        for index in 0..<3 {
            #expect(differs(index, 0..<40, 0..<48))
            #expect(differs(index, 128..<160, 80..<96))
            #expect(!differs(index, 60..<120, 0..<96))
        }
    }

    @Test(
        "a missing font or file ends it with 66, a bad one with 65, a bad option with 64",
        arguments: [
            ("--text a,font=NoSuchFont", 66, "it is not installed; installed fonts are"),
            ("--text a,font=/no/such.ttf", 66, "/no/such.ttf: cannot open"),
            ("--watermark no.png", 66, "no.png: cannot open"), ("--sticker f/%03d.png", 66, "f"),
            ("--mask main:no.png", 66, "no.png: cannot open"), ("--text a,font=/etc/passwd", 65, "not a font"),
            ("--watermark bad.png", 65, "bad.png"), ("--clock %H,zone=mars", 64, "there is no zone mars"),
            ("--mask inset:a.png", 64, "there is no inset"),
        ])
    func fails(_ options: String, _ status: Int32, _ part: String) async throws {
        try Data("not a picture".utf8).write(to: folder.url.appending(path: "bad.png"))
        let run = try await folder.run("\(Self.main) \(options) --frames 1 --output null:")
        #expect(run.status == status)
        #expect(run.errors.contains(part), "\(run.errors)")
    }
}
