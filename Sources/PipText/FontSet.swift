internal import PipSources

/// The fonts of a text: the style's font, and the system's fonts for characters that the style's font lacks.
///
/// Thread: one thread at a time.
final class FontSet {
    /// The style's font.
    let main: FontFace
    /// All fonts that were opened so far, `main` first.
    private(set) var faces: [FontFace]
    private let style: TextStyle
    private let outline: Int?
    /// The index in `faces` of each file that was tried; nil for a file that cannot be used.
    private var tried: [FontFile: Int?]
    private lazy var letters = SortedFonts(like: main.family, isBold: main.isBold, isSlanted: main.isSlanted)
    private lazy var pictures = SortedFonts.emoji

    /// Opens the style's font.
    ///
    /// - Throws: ``SourceError`` when the font is missing, or cannot be used.
    init(_ style: TextStyle) throws(SourceError) {
        self.style = style
        outline = style.outline.flatMap { $0.width > 0 ? Int(($0.width * 64).rounded()) : nil }
        let file = try FontFile(style.font)
        main = try FontFace(file, size: style.size, outline: outline)
        faces = [main]
        tried = [file: 0]
    }

    /// Chooses the font for a character with its combining marks.
    ///
    /// A space takes the font of the previous character, unless that font is a colour font or lacks the space. An emoji
    /// takes a colour font that has the emoji, if there is one, unless the style's font is a file that has the emoji.
    ///
    /// - Parameters:
    ///   - character: The character.
    ///   - previous: The index in `faces` of the previous character's font.
    /// - Returns: The index in `faces`. If no font has the character with its marks, the index of a font that has the
    ///   letter alone, or else of the style's font. For a character without visible scalars, `previous`.
    func index(for character: Character, after previous: Int) -> Int {
        let scalars = Array(character.unicodeScalars.filter { !$0.isIgnorable })
        guard let first = scalars.first else { return previous }
        // Spaces of an emoji font are as wide as emoji, so spaces are not taken from an emoji font.
        if first.properties.isWhitespace, !faces[previous].isColored, faces[previous].has(scalars) { return previous }
        if character.isEmoji, !(style.font.isFile && main.has(scalars)),
            let index = index(in: pictures, having: scalars)
        {
            return index
        }
        if main.has(scalars) { return 0 }
        if let index = index(in: letters, having: scalars) { return index }
        // If no font has the letter with its marks, a font with the letter alone is taken.
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
    /// True for characters that only control how others are drawn, such as joiners, directional marks and variation
    /// selectors.
    var isIgnorable: Bool {
        // The characters of interlinear annotation are not marked as ignorable, but are invisible, too.
        properties.isDefaultIgnorableCodePoint || (0xfff9...0xfffb).contains(value)
    }
}

extension Character {
    /// True for characters that are shown as colour emoji.
    ///
    /// Source: Unicode Technical Standard #51, "Unicode Emoji", 4.
    var isEmoji: Bool {
        guard let first = unicodeScalars.first?.properties, first.isEmoji else { return false }
        if unicodeScalars.contains("\u{fe0f}") { return true }
        if unicodeScalars.contains("\u{fe0e}") { return false }
        return first.isEmojiPresentation || unicodeScalars.contains { $0.properties.isEmojiModifier }
    }
}
