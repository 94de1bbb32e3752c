internal import PipFrames
internal import PipSources

/// Lays out and draws texts in one style, into reused frame buffers.
///
/// Thread: one thread at a time.
final class Typesetter {
    let style: TextStyle
    private let label: String
    private let fonts: FontSet
    private let warn: (String) -> Void
    private var pool = FramePool(FrameLayout(.rgba, PixelSize(1, 1)), limit: 0)
    /// The font packages that a warning has named.
    ///
    /// Nil stands for characters that no package has.
    private var named: Set<FontPackage?> = []
    private var count: UInt64 = 0

    /// The largest number of reused frame buffers: for the pictures that are shown, read ahead and being drawn.
    ///
    /// While all of them are in use, a picture gets a new buffer.
    private static let buffers = 4
    private static let mostCharacters = 4096
    /// The limits of a picture: the pixels of a side, and the bytes.
    private static let longestSide = 8192
    private static let mostBytes = 64 << 20

    /// Opens the style's font.
    ///
    /// - Parameters:
    ///   - style: The style of all texts.
    ///   - label: The name of the text in messages.
    ///   - warn: Called when no installed font has a character: once for each package that would provide it, and once
    ///     for the characters that no package provides.
    /// - Throws: ``SourceError`` when the font is missing or unusable, or a number of the style is out of range.
    init(_ style: TextStyle, label: String, warn: @escaping (String) -> Void) throws(SourceError) {
        try style.check(label)
        self.style = style
        self.label = label
        self.warn = warn
        fonts = try FontSet(style)
    }

    /// Lays out a text, and warns of characters that no font has.
    ///
    /// - Throws: ``SourceError`` when the text is too long.
    func layout(_ text: String) throws(SourceError) -> TextLayout {
        try Self.check(text, label)
        let layout = TextLayout(text, fonts: fonts, margin: style.margin, longest: Self.longestSide)
        for missing in layout.missing {
            let package = FontPackage(having: missing)
            guard named.insert(package).inserted else { continue }
            let code = String(missing.value, radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
            let remedy = package.map { "; `apt-get install \($0.rawValue)` installs a font that has it" } ?? ""
            warn("no installed font has the character \(missing) (U+\(padded)), which is drawn as a box\(remedy)")
        }
        return layout
    }

    /// Draws a laid-out text into a picture that may be larger than the text.
    ///
    /// - Returns: The picture, with a new sequence number.
    /// - Throws: ``SourceError`` when the picture would be too large.
    func picture(_ text: TextLayout, size: PixelSize) throws(SourceError) -> Frame {
        let (side, bytes) = (Self.longestSide, size.area * 4)
        guard size.width <= side, size.height <= side, bytes <= Self.mostBytes else {
            throw SourceError(
                label, "be drawn", .invalidOptions,
                "it takes \(size) pixels, but may have at most \(side) per side and \(Self.mostBytes / 4) in all"
            )
        }
        if pool.layout.size != size { pool = FramePool(FrameLayout(.rgba, size), limit: Self.buffers) }
        let buffer = pool.next() ?? FrameBuffer(pool.layout)
        TextPainter(style: style).paint(text, into: buffer, pool.layout)
        count += 1
        return Frame(info: FrameInfo(layout: pool.layout, colorimetry: .srgb, sequence: count), buffer: buffer)
    }

    /// Checks the length of a text.
    ///
    /// - Throws: ``SourceError`` when the text has more than 4096 characters (Unicode scalars).
    static func check(_ text: String, _ label: String) throws(SourceError) {
        let count = text.unicodeScalars.count
        guard count <= mostCharacters else {
            throw SourceError(
                label, "be drawn", .invalidOptions, "it has \(count) characters; a text has at most \(mostCharacters)")
        }
    }
}
