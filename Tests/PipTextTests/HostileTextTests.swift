import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipText

@Suite("Hostile texts and fonts")
struct HostileTextTests {
    private static let texts = [
        "marks on a letter": "a" + String(repeating: "\u{301}", count: 4095),
        "marks alone": String(repeating: "\u{301}", count: 4096),
        "nested directions": String(repeating: "\u{202e}\u{2067}(", count: 1365),
        "joiners": String(repeating: "\u{200d}", count: 4096),
        "joined emoji": String(repeating: "👩\u{200d}", count: 2048),
        "controls": String(repeating: "\u{fffd}\u{feff}\u{0}\u{1b}\u{fff9}", count: 800),
        "empty lines": String(repeating: "\n", count: 4096),
        "conjuncts": String(repeating: "नि\u{94d}", count: 1365),
        "wide letters": String(repeating: "﷽", count: 4096),
        "no characters": String(repeating: "\u{ffff}\u{10ffff}\u{e0001}", count: 1365),
        "different letters": (0..<4096).compactMap { Unicode.Scalar(0x4e00 + $0).map(String.init) }.joined(),
    ]

    @Test("a hostile text gives a picture within its limits, or an error message", arguments: texts.keys.sorted())
    func bounded(_ name: String) throws {
        let text = try #require(Self.texts[name])
        for size in [16, 512] {
            var style = TextStyle.plain(size)
            style.outline = TextStyle.Outline(width: 2)
            do {
                let shown = try picture(text, style)
                #expect(shown.size.width <= 8192 && shown.size.height <= 8192)
            } catch {
                #expect((error as? SourceError)?.description.contains("but may have at most 8192 per side") == true)
            }
        }
    }

    @Test("too long texts are refused before they are shaped")
    func tooLong() {
        #expect(
            mistake { () throws(SourceError) in
                try TextPicture("", .plain(), reserved: "").set(String(repeating: "x", count: 100_000))
            }.hasSuffix("it has 100000 characters; a text has at most 4096"))
    }

    @Test("fonts with damaged bytes draw a picture or are refused")
    func damagedFonts() throws {
        let folder = try TemporaryFolder()
        let whole = [UInt8](try Data(contentsOf: URL(filePath: FontFile(.test).path)))
        var drawn = 0
        for seed in 0..<60 {
            var dice = Dice(seed)
            var bytes = whole
            if seed % 4 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &dice)) }
            // Even seeds damage bytes anywhere in the file, and odd seeds only among the first 4096 bytes.
            for _ in 0..<20 where !bytes.isEmpty {
                let end = seed % 2 == 0 ? bytes.count : min(bytes.count, 4096)
                bytes[Int.random(in: 0..<end, using: &dice)] = .random(in: 0...255, using: &dice)
            }
            try folder.write(bytes, to: "damaged.ttf")
            do {
                var style = TextStyle(font: .file(folder.path("damaged.ttf")), size: 24)
                style.outline = TextStyle.Outline(width: 2)
                let shown = try picture("AVé שלום سلام fi 12", style)
                #expect(shown.size.width <= 8192 && shown.size.height <= 8192)
                drawn += 1
            } catch {
                let error = try #require(error as? SourceError)
                #expect(error.description.hasSuffix(".") == false && !error.description.isEmpty)
            }
        }
        // Enough damaged fonts must draw, because otherwise the test would reach only the parsing of the file's head.
        #expect(drawn > 10)
    }

    @Test("texts are drawn by many threads at a time")
    func threads() async throws {
        let text = TextPicture("a", .plain(), reserved: "")
        try text.open(Told().reports)
        let lines = ScriptTests.lines.values.sorted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let own = TextPicture("b", .plain(20 + index), reserved: "")
                    try own.open(Told().reports)
                    for line in lines {
                        try text.set(line)
                        try own.set(line)
                        #expect(own.frame(at: .zero, waitingUntil: nil).frame?.inkColumns != nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(lines.contains(text.text))
    }
}
