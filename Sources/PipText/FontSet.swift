internal import PipSources

/// The fonts of a text: the style's own, then the system's for characters that it lacks.
///
/// Thread: one at a time.
final class FontSet {
    /// The style's font.
    let main: FontFace
    /// All fonts that were opened so far, `main` first.
    private(set) var faces: [FontFace]
    private let style: TextStyle
    private let outline: Int?
    /// The indices in `faces` of the files that were tried; nil for a file that cannot be used.
    private var tried: [FontFile: Int?]
    private lazy var letters = SortedFonts(like: main.family, isBold: main.isBold, isSlanted: main.isSlanted)
    private lazy var pictures = SortedFonts.emoji

    /// Opens the style's font.
    ///
    /// - Throws: ``SourceError`` when the font does not exist or cannot be used.
    init(_ style: TextStyle) throws(SourceError) {
        self.style = style
        outline = style.outline.flatMap { $0.width > 0 ? Int(($0.width * 64).rounded()) : nil }
        let file = try FontFile(style.font)
        main = try FontFace(file, size: style.size, outline: outline)
        faces = [main]
        tried = [file: 0]
    }

    /// The index in `faces` of the font for a character with its marks.
    ///
    /// Spaces take the font of the letter before. An emoji takes a font of colours, unless the style's font is a file
    /// that has it.
    ///
    /// - Parameters:
    ///   - character: The character.
    ///   - previous: The index of the font of the character before.
    /// - Returns: The index. Where no font has the character, the index of the style's font.
    func index(for character: Character, after previous: Int) -> Int {
        let scalars = Array(character.unicodeScalars.filter { !$0.isIgnorable })
        guard let first = scalars.first else { return previous }
        // An emoji font has spaces as wide as emoji.
        if first.properties.isWhitespace, !faces[previous].isColored, faces[previous].has(scalars) { return previous }
        if character.isEmoji, !(style.font.isFile && main.has(scalars)),
            let index = index(in: pictures, having: scalars)
        {
            return index
        }
        if main.has(scalars) { return 0 }
        if let index = index(in: letters, having: scalars) { return index }
        // No font has the letter with its marks, so the letter may be drawn alone.
        return main.has([first]) ? 0 : index(in: letters, having: [first]) ?? 0
    }

    private func index(in fonts: SortedFonts, having scalars: [Unicode.Scalar]) -> Int? {
        for file in fonts.files(having: scalars) {
            if let index = tried[file] ?? open(file), faces[index].has(scalars) { return index }
        }
        return nil
    }

    private func open(_ file: FontFile) -> Int? {
        let face = try? FontFace(file, size: style.size, outline: outline)
        if let face { faces.append(face) }
        let index = face.map { _ in faces.count - 1 }
        tried[file] = .some(index)
        return index
    }
}

extension Unicode.Scalar {
    /// True for characters that only control how others are drawn: joiners, directional marks and variation selectors.
    var isIgnorable: Bool {
        // The characters of interlinear annotations are not marked as ignorable, but have no shape either.
        properties.isDefaultIgnorableCodePoint || (0xfff9...0xfffb).contains(value)
    }
}

extension Character {
    /// True for characters that are shown as emoji in colours.
    ///
    /// Source: Unicode Technical Standard #51, "Unicode Emoji", 4.
    var isEmoji: Bool {
        guard let first = unicodeScalars.first?.properties, first.isEmoji else { return false }
        if unicodeScalars.contains("\u{fe0f}") { return true }
        if unicodeScalars.contains("\u{fe0e}") { return false }
        return first.isEmojiPresentation || unicodeScalars.contains { $0.properties.isEmojiModifier }
    }
}
