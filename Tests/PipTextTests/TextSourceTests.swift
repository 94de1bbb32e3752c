import PipCompose
import Testing

@testable import PipText

@Suite("A text source")
struct TextSourceTests {
    @Test("keeps its picture's size for shorter texts, and grows for longer ones")
    func keepsSize() throws {
        let text = TextPicture("100 km/h", .plain(alignment: .right), reserved: "")
        try text.open(Told().reports)
        let first = try #require(text.frame(at: .zero, waitingUntil: nil).frame)
        try text.set("99 km/h")
        let second = try #require(text.frame(at: .zero, waitingUntil: nil).frame)
        #expect(second.size == first.size)
        #expect(second.info.sequence != first.info.sequence)
        // The right-aligned text's end stays in place, except for the rounding of pen positions.
        let ends = [first, second].compactMap { $0.inkColumns?.upperBound }
        #expect(ends.count == 2 && abs(ends[0] - ends[1]) <= 1)
        try text.set("1000 km/h")
        #expect(try #require(text.frame(at: .zero, waitingUntil: nil).frame).size.width > first.size.width)
        try text.set("1")
        #expect(try #require(text.frame(at: .zero, waitingUntil: nil).frame).size.width < first.size.width)
    }

    @Test("a picture is large enough for its reserved text from the start")
    func reserves() throws {
        let reserved = try picture("0", .plain(), reserving: "0000")
        #expect(reserved.size == (try picture("0000")).size)
        #expect(try picture("00000", .plain(), reserving: "0000").size == picture("00000").size)
    }

    @Test("the same text is not drawn again")
    func sameText() throws {
        let text = TextPicture("a", .plain(), reserved: "")
        try text.open(Told().reports)
        let first = text.frame(at: .zero, waitingUntil: nil).frame
        try text.set("a")
        #expect(text.frame(at: .zero, waitingUntil: nil).frame?.info.sequence == first?.info.sequence)
    }

    @Test("refuses an invalid text with the reason, and keeps the previous text")
    func refuses() throws {
        let text = TextPicture("a", .plain(512), reserved: "")
        try text.open(Told().reports)
        let long = #expect(throws: SourceError.self) { try text.set(String(repeating: "i", count: 5000)) }
        #expect(long?.description == "text \"a\": cannot be drawn: it has 5000 characters; a text has at most 4096")
        let wide = #expect(throws: SourceError.self) { try text.set(String(repeating: "M", count: 40)) }
        #expect(wide?.description.contains("but may have at most 8192 per side and 16777216 in all") == true)
        #expect(text.text == "a")
        let small = TextPicture("a", .plain(2), reserved: "")
        #expect(throws: SourceError.self) { try small.open(Told().reports) }
    }

    @Test("lists the fonts when one is missing")
    func missingFont() throws {
        let text = TextPicture("a", TextStyle(font: .named("No Such Font")), reserved: "")
        let error = try #require(throws: SourceError.self) { try text.open(Told().reports) }
        #expect(error.kind == .notFound)
        #expect(
            error.description.hasPrefix("font No Such Font: cannot be used: it is not installed; installed fonts are "))
        let file = TextPicture("a", TextStyle(font: .file("/no/such.ttf")), reserved: "")
        let lost = try #require(throws: SourceError.self) { try file.open(Told().reports) }
        #expect(lost.description == "/no/such.ttf: cannot open: No such file or directory")
        let other = TextPicture("a", TextStyle(font: .file("/etc/passwd")), reserved: "")
        let damaged = try #require(throws: SourceError.self) { try other.open(Told().reports) }
        #expect(damaged.kind == .damaged)
    }

    @Test("finds fonts by family, by family and style, and by file", arguments: ["dejavu sans", "DejaVu Sans Bold"])
    func fonts(_ name: String) throws {
        let found = try FontFile(.named(name))
        #expect(found.path.hasSuffix(name.hasSuffix("Bold") ? "/DejaVuSans-Bold.ttf" : "/DejaVuSans.ttf"))
        #expect(try FontFile(.file(found.path)) == found)
        #expect(try FontFile(.default).path.isEmpty == false)
    }

    @Test("changes in a session while it runs, also to another size")
    func live() async throws {
        let text = TextSource("I", .plain(40))
        let picture = Compositor(canvas: PixelSize(320, 64), background: .black) {
            Layer(text).placed(.topLeft)
        }
        let tap = FrameTap(.rgba)
        picture --> tap
        var options = SessionOptions()
        options.clock = .rate(FrameRate(50))
        options.pressure.policy = .off
        let session = try await Session(picture, options: options)
        async let run: Void = session.run()
        var widths: [Int] = []
        for await frame in tap.frames {
            let bright = (0..<320).filter { x in (0..<64).contains { frame.pixel(x, $0)[0] > 128 } }
            let width = (bright.last ?? 0) - (bright.first ?? 0)
            guard widths.last != width else { continue }
            widths.append(width)
            if widths.count == 1 { try text.set("MMMM") }
            if widths.count == 2 { break }
        }
        session.stop()
        try await run
        #expect(widths.count == 2)
        #expect(widths[1] > 4 * widths[0])
    }
}
