internal import CFreeType
internal import CShaping
internal import PipSources

/// A glyph that HarfBuzz has chosen and positioned.
///
/// Units: 64ths of a pixel for the advance and the offsets.
struct ShapedGlyph: Equatable {
    /// The glyph's index in its font; 0 where the font lacks the character.
    var index: UInt32
    /// The index of the glyph's first character in the line.
    var character: Int
    var advance: Int
    var xOffset: Int
    /// The upward offset from the baseline.
    var yOffset: Int
}

/// A font at one size, with a cache of its glyphs.
///
/// Thread: one thread at a time, because FreeType's and HarfBuzz's objects are not thread-safe.
///
/// Source: FreeType API Reference, "Face Creation", "Glyph Retrieval", "Glyph Stroker"; HarfBuzz Manual, "Shaping".
@safe final class FontFace {
    /// The font's heights in pixels: above the baseline, below the baseline, and from line to line.
    let ascent: Int
    let descent: Int
    let lineHeight: Int
    /// The font family's name; empty where the font has none.
    let family: String
    let isBold: Bool
    let isSlanted: Bool
    /// True when the font may contain colour glyphs.
    let isColored: Bool
    private let library: FT_Library
    private let face: FT_Face
    private let shaper: OpaquePointer
    private let buffer: OpaquePointer
    private var stroker: FT_Stroker?
    /// The scale of the font's bitmaps; 1 for a font of outlines.
    private let scale: Double
    private let flags: FT_Int32
    private let box: Glyph
    private let boxAdvance: Int
    private var glyphs: [Key: Glyph] = [:]
    /// The number of bytes in `glyphs`.
    private var byteCount = 0

    /// The cache key of a glyph.
    ///
    /// `shift` is the shift to the right, in 64ths of a pixel.
    private struct Key: Hashable {
        var index: UInt32
        var shift: Int
    }

    /// The limits of the cache, in glyphs and in bytes; beyond either, the whole cache is emptied.
    private static let mostGlyphs = 4096
    private static let mostBytes = 32 << 20
    /// The area of the largest glyph, in em squares.
    private static let largestGlyph = 32

    /// Opens a font file at one size.
    ///
    /// - Parameters:
    ///   - file: The font file.
    ///   - size: The side of the em square, in pixels.
    ///   - outline: The width of the outline around characters, in 64ths of a pixel; nil for none.
    /// - Throws: ``SourceError`` when the file is not a font or a font of bitmaps that cannot be scaled, or when the
    ///   libraries that shape texts are missing.
    init(_ file: FontFile, size: Int, outline: Int?) throws(SourceError) {
        let library = try unsafe ShapingLibraries.startFreeType(for: "texts")
        var face: FT_Face?
        let error = unsafe FT_New_Face(library, file.path, file.face, &face)
        guard error == 0, let face = unsafe face else {
            unsafe FT_Done_FreeType(library)
            let orFace = file.face == 0 ? "" : ", or it has no face \(file.face)"
            throw SourceError(
                file.path, "open", .damaged, "it is not a font that FreeType reads\(orFace) (error \(error))")
        }
        guard let scale = unsafe Self.select(size, of: face), let shaper = unsafe Self.shaper(of: face, size: size),
            let buffer = unsafe hb_buffer_create()
        else {
            unsafe FT_Done_FreeType(library)
            throw SourceError(
                file.path, "be used", .damaged,
                "its characters cannot be scaled to \(size) pixels; use a font of outlines, such as TrueType")
        }
        unsafe self.library = unsafe library
        unsafe self.face = unsafe face
        unsafe self.shaper = unsafe shaper
        unsafe self.buffer = unsafe buffer
        self.scale = scale
        isColored = unsafe face.pointee.face_flags & FT_Long(FT_FACE_FLAG_COLOR) != 0
        flags = (scale == 1 ? PIP_FT_LOAD : 0) | (isColored ? FT_Int32(FT_LOAD_COLOR) : 0)
        box = Glyph.box(size: size, outline: outline.map { ($0 + 63) / 64 })
        boxAdvance = Glyph.boxAdvance(size: size)
        family = unsafe face.pointee.family_name.map { unsafe String(cString: $0) } ?? ""
        isBold = unsafe face.pointee.style_flags & FT_Long(FT_STYLE_FLAG_BOLD) != 0
        isSlanted = unsafe face.pointee.style_flags & FT_Long(FT_STYLE_FLAG_ITALIC) != 0
        let metrics = unsafe face.pointee.size.pointee.metrics
        func pixels(_ length: Int) -> Int { (Int(Double(length) * scale) + 63) / 64 }
        ascent = pixels(metrics.ascender)
        descent = pixels(-metrics.descender)
        lineHeight = max(pixels(metrics.height), ascent + descent)
        guard let outline, unsafe FT_Stroker_New(library, &stroker) == 0 else { return }
        unsafe FT_Stroker_Set(stroker, FT_Fixed(outline), FT_STROKER_LINECAP_ROUND, FT_STROKER_LINEJOIN_ROUND, 0)
    }

    deinit {
        unsafe FT_Stroker_Done(stroker)
        unsafe hb_buffer_destroy(buffer)
        unsafe hb_font_destroy(shaper)
        // Releasing the library releases its faces, too.
        unsafe FT_Done_FreeType(library)
    }

    /// True when the font has glyphs for all the given characters.
    func has(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        scalars.allSatisfy { unsafe FT_Get_Char_Index(face, FT_ULong($0.value)) != 0 }
    }

    /// Chooses and positions the glyphs of a run.
    ///
    /// - Parameters:
    ///   - line: All characters of the line, because the shape of a letter depends on its neighbours.
    ///   - run: The run in the line to shape.
    /// - Returns: The glyphs, from left to right.
    func shape(_ line: [UInt32], _ run: TextRun) -> [ShapedGlyph] {
        unsafe hb_buffer_clear_contents(buffer)
        unsafe hb_buffer_add_utf32(
            buffer, line, Int32(line.count), UInt32(run.range.lowerBound), Int32(run.range.count))
        unsafe hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_CHARACTERS)
        unsafe hb_buffer_set_direction(buffer, run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
        unsafe hb_buffer_set_script(buffer, run.script)
        unsafe hb_shape(shaper, buffer, nil, 0)
        var count: UInt32 = 0
        guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
            let positions = unsafe hb_buffer_get_glyph_positions(buffer, &count)
        else { return [] }
        return (0..<Int(count)).map { index in
            let (info, position) = unsafe (infos[index], positions[index])
            return ShapedGlyph(
                index: info.codepoint, character: Int(info.cluster),
                advance: info.codepoint == 0 ? boxAdvance : Int(position.x_advance), xOffset: Int(position.x_offset),
                yOffset: Int(position.y_offset))
        }
    }

    /// Returns a glyph from the cache, or loads it.
    ///
    /// Returns a box for index 0, for a glyph that is too large, and for an outline that cannot be loaded. A glyph that
    /// cannot be loaded from a font of bitmaps is empty.
    ///
    /// - Parameters:
    ///   - index: The glyph's index in the font.
    ///   - shift: The shift to the right, in 64ths of a pixel.
    /// - Returns: The glyph.
    func glyph(_ index: UInt32, shift: Int = 0) -> Glyph {
        if index == 0 { return box }
        let key = Key(index: index, shift: shift)
        if let glyph = glyphs[key] { return glyph }
        if glyphs.count >= Self.mostGlyphs || byteCount > Self.mostBytes { (glyphs, byteCount) = ([:], 0) }
        let glyph = load(key) ?? box
        glyphs[key] = glyph
        byteCount += glyph.byteCount
        return glyph
    }

    private func load(_ key: Key) -> Glyph? {
        guard unsafe FT_Load_Glyph(face, key.index, flags) == 0, let slot = unsafe face.pointee.glyph else {
            // A bitmap font may lack a glyph for the space.
            return scale == 1 ? nil : Glyph()
        }
        let metrics = unsafe (slot.pointee.metrics, face.pointee.size.pointee.metrics)
        let em = Int(max(metrics.1.x_ppem, 1)) * Int(max(metrics.1.y_ppem, 1))
        guard (metrics.0.width >> 6) * (metrics.0.height >> 6) <= Self.largestGlyph * em else { return nil }
        if key.shift > 0 { unsafe FT_Outline_Translate(&slot.pointee.outline, FT_Pos(key.shift), 0) }
        var glyph = Glyph()
        // Stroke before rendering: `FT_Render_Glyph` replaces the slot's outline by a bitmap.
        if let stroker = unsafe stroker, unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE {
            glyph.grown = unsafe Self.grown(slot, stroker)
        }
        guard unsafe FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) == 0 else { return nil }
        let (left, top) = unsafe (slot.pointee.bitmap_left, slot.pointee.bitmap_top)
        glyph.body = unsafe Glyph.Shape(slot.pointee.bitmap, left: left, top: top).scaled(by: scale)
        return glyph
    }

    /// The shape of the slot's glyph, grown by the outline's width; nil when stroking fails.
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

    /// Sets the size of a face.
    ///
    /// - Returns: The scale of the face's bitmaps, or 1 for outlines. Nil for bitmaps without colours, and on failure.
    @unsafe private static func select(_ size: Int, of face: FT_Face) -> Double? {
        let record = unsafe face.pointee
        if unsafe record.face_flags & FT_Long(FT_FACE_FLAG_SCALABLE) != 0 {
            return unsafe FT_Set_Pixel_Sizes(face, 0, UInt32(size)) == 0 ? 1 : nil
        }
        guard unsafe record.face_flags & FT_Long(FT_FACE_FLAG_COLOR) != 0, unsafe record.num_fixed_sizes > 0 else {
            return nil
        }
        let sizes = unsafe (0..<record.num_fixed_sizes).map {
            (index: $0, height: unsafe record.available_sizes[Int($0)].y_ppem)
        }
        let larger = sizes.filter { $0.height >= size * 64 }.min { $0.height < $1.height }
        guard let best = larger ?? sizes.max(by: { $0.height < $1.height }), best.height > 0,
            unsafe FT_Select_Size(face, best.index) == 0
        else { return nil }
        return Double(size * 64) / Double(best.height)
    }

    /// Makes HarfBuzz's font object for a face, which reads OpenType tables if the font has them.
    @unsafe private static func shaper(of face: FT_Face, size: Int) -> OpaquePointer? {
        guard let font = unsafe hb_ft_font_create_referenced(face) else { return nil }
        if unsafe face.pointee.face_flags & FT_Long(FT_FACE_FLAG_SFNT) != 0 {
            unsafe hb_ot_font_set_funcs(font)
        } else {
            unsafe hb_ft_font_set_load_flags(font, FT_Int32(FT_LOAD_NO_HINTING))
        }
        unsafe hb_font_set_scale(font, Int32(size * 64), Int32(size * 64))
        return unsafe font
    }
}

extension Glyph.Shape {
    /// Copies a FreeType bitmap of coverage or of colours.
    @unsafe fileprivate init(_ bitmap: FT_Bitmap, left: Int32, top: Int32) {
        self.left = Int(left)
        self.top = Int(top)
        guard let buffer = unsafe bitmap.buffer else { return }
        (width, height) = (Int(unsafe bitmap.width), Int(unsafe bitmap.rows))
        let pitch = Int(unsafe bitmap.pitch)
        let isColored = unsafe bitmap.pixel_mode == FT_PIXEL_MODE_BGRA.rawValue
        for row in 0..<height {
            // A negative pitch means that rows are stored from the bottom up.
            let start = unsafe buffer + (pitch >= 0 ? row * pitch : (height - 1 - row) * -pitch)
            if isColored {
                let pixels = unsafe UnsafeRawBufferPointer(start: start, count: width * 4)
                colors += (0..<width).map { column in
                    let pixel = unsafe pixels.loadUnaligned(fromByteOffset: column * 4, as: SIMD4<UInt8>.self)
                    return SIMD4(pixel.z, pixel.y, pixel.x, pixel.w)
                }
            } else {
                unsafe coverage.append(contentsOf: UnsafeBufferPointer(start: start, count: width))
            }
        }
    }
}
