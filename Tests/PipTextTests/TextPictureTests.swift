import CFreeType
import PipCompose
import Testing

@testable import PipText

@Suite("A text's picture")
struct TextPictureTests {
    @Test(
        "a picture has each letter exactly as FreeType draws it",
        arguments: ["A", "g", "Ö", "€", "W"] as [Unicode.Scalar])
    func letters(_ letter: Unicode.Scalar) throws {
        let size = 41
        let expected = try Reference(letter, size: size)
        let shown = try picture(String(letter), .plain(size))
        let face = try FontFace(try FontFile(.test), size: size, outline: nil)
        #expect(shown.size.height == face.ascent + face.descent)
        for y in 0..<shown.size.height {
            for x in 0..<shown.size.width {
                // The part of a glyph left of the pen position widens the picture.
                let coverage = expected.coverage(x - max(0, expected.left), y - (face.ascent - expected.top))
                #expect(shown.pixel(x, y) == [coverage, coverage, coverage, coverage], "at \(x), \(y)")
            }
        }
    }

    @Test("a picture is exactly as large as its lines")
    func sizes() throws {
        let one = try picture("Cam 1")
        let two = try picture("Cam 1\nCam 1")
        let face = try FontFace(try FontFile(.test), size: 32, outline: nil)
        #expect(two.size == PixelSize(one.size.width, one.size.height + face.lineHeight))
        #expect(try picture("Cam 1, front").size.width > one.size.width)
        #expect(try picture("").size == PixelSize(1, 1))
        #expect(try picture("").pixel(0, 0) == [0, 0, 0, 0])
    }

    @Test("kerns letters as the font says")
    func kerning() throws {
        let apart = try picture("A").size.width + picture("V").size.width
        #expect(try picture("AV", .plain(64)).size.width < picture("A", .plain(64)).size.width * 2)
        #expect(try picture("AV").size.width < apart)
    }

    @Test("aligns its lines", arguments: TextStyle.Alignment.allCases)
    func alignment(_ alignment: TextStyle.Alignment) throws {
        let shown = try picture("MMMMMM\nM", .plain(alignment: alignment))
        let below = shown.alpha[(shown.size.height / 2)...]
        let columns = (0..<shown.size.width).filter { x in below.contains { $0[x] > 0 } }
        let middle = (try #require(columns.first) + (try #require(columns.last))) / 2
        switch alignment {
        case .start, .left: #expect(middle < shown.size.width / 4)
        case .center: #expect(abs(middle - shown.size.width / 2) <= 2)
        case .right: #expect(middle > shown.size.width * 3 / 4)
        }
    }

    @Test("a picture has its background everywhere, and premultiplied colours")
    func background() throws {
        var style = TextStyle.plain()
        style.background = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
        style.padding = 10
        let shown = try picture("I", style)
        #expect(shown.pixel(0, 0) == [128, 0, 0, 128])
        #expect(shown.pixel(shown.size.width - 1, shown.size.height - 1) == [128, 0, 0, 128])
        #expect(shown.size.width == (try picture("I")).size.width + 20)
        // The stem of the letter is opaque white.
        let row = (0..<shown.size.width).map { shown.pixel($0, shown.size.height / 2) }
        #expect(row.contains([255, 255, 255, 255]))
        for y in 0..<shown.size.height {
            for x in 0..<shown.size.width {
                let pixel = shown.pixel(x, y)
                #expect(pixel[0] <= pixel[3] && pixel[1] <= pixel[3] && pixel[2] <= pixel[3])
            }
        }
    }

    @Test("a picture has an outline around and below the letters")
    func outline() throws {
        var style = TextStyle.plain(48)
        let bare = try picture("l", style)
        style.outline = TextStyle.Outline(width: 3, color: .black)
        let lined = try picture("l", style)
        #expect(lined.size == PixelSize(bare.size.width + 6, bare.size.height + 6))
        let (inner, outer) = (try #require(bare.inkColumns), try #require(lined.inkColumns))
        #expect(outer.count == inner.count + 6)
        let row = (0..<lined.size.width).map { lined.pixel($0, lined.size.height / 2) }
        #expect(row.contains([255, 255, 255, 255]))
        #expect(row.contains([0, 0, 0, 255]))
    }

    @Test("draws a box for a character without a glyph, and reports it once")
    func missing() throws {
        let told = Told()
        // The character is the last private one: fonts may have many private characters, but not this one.
        let picture = TextPicture("\u{10fffd}", .plain(), reserved: "")
        try picture.open(told.reports)
        let box = try #require(picture.frame(at: .zero, waitingUntil: nil).frame)
        #expect(try #require(box.inkColumns).count == 17)
        #expect(
            told.sentences == ["no installed font has the character \u{10fffd} (U+10FFFD), which is drawn as a box"])
        try picture.set("\u{10fffc}")
        #expect(told.sentences.count == 1)
        // The box has no descender, so the last row is empty.
        #expect(box.alpha.last?.allSatisfy { $0 == 0 } == true)
    }

    @Test("leaves out characters without a shape")
    func undrawn() throws {
        let plain = try picture("ab")
        #expect(try picture("a\u{200d}\u{7}b\u{fe0f}\r").alpha == plain.alpha)
    }
}

/// A letter rendered by FreeType alone.
private struct Reference {
    let left: Int
    let top: Int
    private let width: Int
    private let rows: [[UInt8]]

    init(_ letter: Unicode.Scalar, size: Int) throws {
        var library: FT_Library?
        try #require(unsafe FT_Init_FreeType(&library) == 0)
        defer { unsafe FT_Done_FreeType(library) }
        var face: FT_Face?
        let path = try FontFile(.test).path
        try #require(unsafe FT_New_Face(library, path, 0, &face) == 0)
        guard let opened = unsafe face else { throw Failure.noFace }
        unsafe FT_Set_Pixel_Sizes(opened, 0, UInt32(size))
        // The flags are FT_LOAD_RENDER and FT_LOAD_TARGET_LIGHT, with the values of FreeType's headers.
        try #require(unsafe FT_Load_Char(opened, FT_ULong(letter.value), 1 << 2 | 1 << 16) == 0)
        let slot = unsafe opened.pointee.glyph.pointee
        left = Int(unsafe slot.bitmap_left)
        top = Int(unsafe slot.bitmap_top)
        width = Int(unsafe slot.bitmap.width)
        var rows: [[UInt8]] = []
        for row in 0..<Int(unsafe slot.bitmap.rows) {
            let start = unsafe slot.bitmap.buffer + row * Int(slot.bitmap.pitch)
            rows.append(unsafe Array(UnsafeBufferPointer(start: start, count: width)))
        }
        self.rows = rows
    }

    private enum Failure: Error { case noFace }

    func coverage(_ x: Int, _ y: Int) -> UInt8 {
        rows.indices.contains(y) && (0..<width).contains(x) ? rows[y][x] : 0
    }
}
