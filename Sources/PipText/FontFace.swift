internal import CFreeType
internal import PipSources

/// A font at one size, with the shapes of the characters that were used so far.
///
/// Not thread-safe: FreeType's objects belong to one thread at a time.
///
/// Source: FreeType API Reference, "Face Creation", "Glyph Retrieval", "Glyph Stroker".
@safe final class FontFace {
    /// Pixels above the baseline, below it, and from line to line.
    let ascent: Int
    let descent: Int
    let lineHeight: Int
    private let library: FT_Library
    private let face: FT_Face
    private var stroker: FT_Stroker?
    private let size: Int
    private let outline: Int?
    private var glyphs: [Unicode.Scalar: Glyph] = [:]

    /// Shapes that are kept; more begin anew.
    private static let mostGlyphs = 4096

    /// Opens a font.
    ///
    /// - Parameters:
    ///   - file: The font file.
    ///   - size: The em square, in pixels.
    ///   - outline: Width of the line around characters, in 64ths of a pixel; nil without.
    /// - Throws: ``SourceError`` when it is no font, or one of pictures that cannot be scaled.
    init(_ file: FontFile, size: Int, outline: Int?) throws(SourceError) {
        var library: FT_Library?
        guard unsafe FT_Init_FreeType(&library) == 0, let library = unsafe library else {
            throw SourceError(file.path, "open", .failed, "FreeType does not start: out of memory")
        }
        var face: FT_Face?
        let error = unsafe FT_New_Face(library, file.path, file.face, &face)
        guard error == 0, let face = unsafe face else {
            unsafe FT_Done_FreeType(library)
            throw SourceError(file.path, "open", .damaged, "it is not a font that FreeType reads (error \(error))")
        }
        guard unsafe FT_Set_Pixel_Sizes(face, 0, UInt32(size)) == 0, unsafe Self.isScalable(face) else {
            unsafe FT_Done_FreeType(library)
            throw SourceError(
                file.path, "be used", .damaged, "its characters are pictures of fixed sizes, not outlines")
        }
        unsafe self.library = unsafe library
        unsafe self.face = unsafe face
        self.size = size
        self.outline = outline
        let metrics = unsafe face.pointee.size.pointee.metrics
        ascent = Int(metrics.ascender + 63) / 64
        descent = Int(-metrics.descender + 63) / 64
        lineHeight = max(Int(metrics.height + 63) / 64, ascent + descent)
        guard let outline, unsafe FT_Stroker_New(library, &stroker) == 0 else { return }
        unsafe FT_Stroker_Set(stroker, FT_Fixed(outline), FT_STROKER_LINECAP_ROUND, FT_STROKER_LINEJOIN_ROUND, 0)
    }

    deinit {
        unsafe FT_Stroker_Done(stroker)
        // With the library go its faces.
        unsafe FT_Done_FreeType(library)
    }

    /// A character's shape; a box, with index 0, where the font lacks it.
    func glyph(_ scalar: Unicode.Scalar) -> Glyph {
        if let glyph = glyphs[scalar] { return glyph }
        if glyphs.count >= Self.mostGlyphs { glyphs = [:] }
        let index = unsafe FT_Get_Char_Index(face, FT_ULong(scalar.value))
        let glyph = (index == 0 ? nil : load(index)) ?? .box(size: size, outline: outline.map { ($0 + 63) / 64 })
        glyphs[scalar] = glyph
        return glyph
    }

    /// The kerning between two glyphs, in 64ths of a pixel.
    func kerning(_ left: Glyph, _ right: Glyph) -> Int {
        guard left.index != 0, right.index != 0 else { return 0 }
        var vector = FT_Vector()
        guard unsafe FT_Get_Kerning(face, left.index, right.index, FT_KERNING_UNFITTED.rawValue, &vector) == 0 else {
            return 0
        }
        return Int(vector.x)
    }

    private func load(_ index: UInt32) -> Glyph? {
        guard unsafe FT_Load_Glyph(face, index, PIP_FT_LOAD) == 0, let slot = unsafe face.pointee.glyph else {
            return nil
        }
        // 16.16 to 26.6, rounded.
        var glyph = Glyph(index: index, advance: Int((unsafe slot.pointee.linearHoriAdvance + 512) >> 10))
        if let stroker = unsafe stroker { glyph.grown = unsafe Self.grown(slot, stroker) }
        guard unsafe FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) == 0 else { return nil }
        glyph.body = unsafe Glyph.Shape(
            slot.pointee.bitmap, left: slot.pointee.bitmap_left, top: slot.pointee.bitmap_top)
        return glyph
    }

    /// The shape of the character in a slot with a line around it.
    @unsafe private static func grown(_ slot: FT_GlyphSlot, _ stroker: FT_Stroker) -> Glyph.Shape? {
        var glyph: FT_Glyph?
        guard unsafe FT_Get_Glyph(slot, &glyph) == 0 else { return nil }
        defer { unsafe FT_Done_Glyph(glyph) }
        guard unsafe FT_Glyph_StrokeBorder(&glyph, stroker, 0, 1) == 0,
            unsafe FT_Glyph_To_Bitmap(&glyph, FT_RENDER_MODE_NORMAL, nil, 1) == 0,
            let raw = UnsafeRawPointer(glyph)
        else { return nil }
        let bitmap = unsafe raw.assumingMemoryBound(to: FT_BitmapGlyphRec.self)
        return unsafe Glyph.Shape(bitmap.pointee.bitmap, left: bitmap.pointee.left, top: bitmap.pointee.top)
    }

    @unsafe private static func isScalable(_ face: FT_Face) -> Bool {
        unsafe face.pointee.face_flags & FT_Long(FT_FACE_FLAG_SCALABLE) != 0
    }
}

extension Glyph.Shape {
    /// A copy of what FreeType has drawn.
    @unsafe fileprivate init(_ bitmap: FT_Bitmap, left: Int32, top: Int32) {
        self.left = Int(left)
        self.top = Int(top)
        guard let buffer = unsafe bitmap.buffer else { return }
        (width, height) = (Int(unsafe bitmap.width), Int(unsafe bitmap.rows))
        let pitch = Int(unsafe bitmap.pitch)
        coverage.reserveCapacity(width * height)
        for row in 0..<height {
            // A negative pitch means that the bottom row comes first.
            let start = pitch >= 0 ? row * pitch : (height - 1 - row) * -pitch
            unsafe coverage.append(contentsOf: UnsafeBufferPointer(start: buffer + start, count: width))
        }
    }
}
