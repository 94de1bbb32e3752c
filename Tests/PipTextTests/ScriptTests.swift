import PipCompose
import Testing

@testable import PipText

@Suite("Texts of the world's scripts")
struct ScriptTests {
    static let lines = [
        "Latin": "Ấn e\u{301}a\u{308} ñ, office", "Greek": "Αθήνα, ἄνθρωπος", "Cyrillic": "Москва\u{301} Ёж",
        "Hebrew": "שָׁלוֹם (12:30) עולם", "Arabic": "السَّلامُ عليكم، لا إله", "Devanagari": "नमस्ते क्षत्रिय हिन्दी",
        "Thai": "สวัสดีครับ น้ำ กี่", "Chinese": "你好世界漢字", "mixed": "Room 12: שלום abc (עולם) नमस्ते!",
        "nested": "אבג \u{2067}abc 12\u{2069} דהו", "marked": "a\u{200f}! \u{202e}abc\u{202c} b",
    ]

    @Test(
        "glyphs are at Pango's positions",
        .enabled(if: Pango.isThere, "needs pango-view of pango1.0-tools"), arguments: lines.keys.sorted())
    func placesGlyphs(_ script: String) throws {
        let line = try #require(Self.lines[script])
        let ours = try glyphs(line, .plain(48))
        let theirs = try Pango.glyphs(line, font: "DejaVu Sans", size: 48)
        #expect(ours.map(\.index) == theirs.map(\.index), "\(ours)\n\(theirs)")
        for (ours, theirs) in zip(ours, theirs) {
            // Each advance is rounded to 1/64 pixel.
            #expect(abs(ours.x - theirs.x) < 0.25 && abs(ours.y - theirs.y) < 0.05, "\(ours), Pango: \(theirs)")
            #expect(ours.family == theirs.family)
        }
    }

    @Test("all scripts are drawn side by side in one picture, without a box or a warning")
    func onePicture() throws {
        let told = Told()
        let shown = try picture(Self.lines.values.sorted().joined(separator: "\n"), .plain(48), told)
        #expect(told.sentences == [])
        #expect(shown.size.height >= Self.lines.count * 48)
    }

    @Test("joined scripts have no gaps between letters", arguments: ["سسسسس", "नमनमनम"])
    func joins(_ word: String) throws {
        for size in [17, 32, 45] {
            let alpha = try picture(word, .plain(size)).alpha
            let columns = try #require(try picture(word, .plain(size)).inkColumns)
            // Arabic's joining line at the bottom, or Devanagari's at the top, covers most of one row.
            let inked = alpha.map { (row: [UInt8]) -> Int in row.filter { $0 > 100 }.count }
            #expect(inked.contains { Double($0) > 0.85 * Double(columns.count) }, "\(size)")
            let gaps = columns.dropFirst(2).dropLast(2).filter { x in !alpha.contains { $0[x] > 100 } }
            #expect(gaps.isEmpty, "\(size)")
        }
    }

    @Test(
        "lines are aligned to the side at which reading begins",
        arguments: ["MMMMMM\nM", "שלום עולם\nו", "שלום עולם\n1"])
    func start(_ text: String) throws {
        let shown = try picture(text, .plain(alignment: .start))
        let below = shown.alpha[(shown.size.height / 2)...]
        let columns = (0..<shown.size.width).filter { x in below.contains { $0[x] > 0 } }
        let middle = (try #require(columns.first) + (try #require(columns.last))) / 2
        #expect((middle > shown.size.width / 2) == (text.first == "ש"))
    }

    @Test(
        "emoji are coloured, and as large as letters",
        arguments: ["👍🏽", "👩‍👩‍👧‍👦", "🇮🇱", "☀\u{fe0f}", "1\u{fe0f}\u{20e3}"])
    func emoji(_ text: String) throws {
        for size in [16, 64, 200] {
            let shown = try picture(text, .plain(size))
            let isColored = (0..<shown.size.width).contains { x in
                (0..<shown.size.height).contains { y in Set(shown.pixel(x, y).prefix(3)).count > 1 }
            }
            #expect(isColored || text == "👩‍👩‍👧‍👦")
            #expect((size...size * 3 / 2).contains(shown.size.width))
            #expect((size...size * 3 / 2).contains(shown.size.height))
        }
        #expect(try glyphs(text, .plain()).count == 1)
    }

    @Test("emoji are drawn like letters where the text requests it, or a font's file has them")
    func plainEmoji() throws {
        let file = try FontFile(.test).path
        #expect(try glyphs("☀\u{fe0e}", .plain()).first?.family == "DejaVu Sans")
        #expect(try glyphs("☀", .plain()).first?.family == "DejaVu Sans")
        #expect(try glyphs("☀\u{fe0f}", TextStyle(font: .file(file))).first?.family == "DejaVu Sans")
        #expect(try glyphs("☀\u{fe0f}", .plain()).first?.family == "Noto Color Emoji")
    }

    @Test("emoji have no outline in a text with an outline")
    func outlinedEmoji() throws {
        var style = TextStyle.plain(56)
        style.outline = TextStyle.Outline(width: 3)
        let (outlined, plain) = (try picture("😀🚗", style), try picture("😀🚗", .plain(56)))
        let inner = outlined.alpha.dropFirst(3).prefix(plain.size.height).map {
            $0.dropFirst(3).prefix(plain.size.width)
        }
        #expect(inner.map { Array($0) } == plain.alpha.map { Array($0) })
    }

    @Test("emoji fade with the colour's alpha")
    func fadedEmoji() throws {
        var style = TextStyle.plain(64)
        style.color = Color(red: 1, green: 1, blue: 1, alpha: 0.5)
        let (faded, full) = (try picture("☀\u{fe0f}", style), try picture("☀\u{fe0f}", .plain(64)))
        for (faded, full) in zip(faded.alpha.joined(), full.alpha.joined()) {
            #expect(abs(Int(faded) * 2 - Int(full)) <= 2)
        }
    }

    @Test("a warning names the package of fonts that has a character")
    func packages() {
        let expected: [(Unicode.Scalar, FontPackage?)] = [
            ("क", .core), ("𒀀", .core), ("♫", .core), ("漢", .cjk), ("한", .cjk), ("カ", .cjk), ("。", .cjk), ("🦖", .emoji),
            ("\u{10fffd}", nil), ("\u{378}", nil),
        ]
        for (scalar, package) in expected { #expect(FontPackage(having: scalar) == package, "\(scalar)") }
    }
}
