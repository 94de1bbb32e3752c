public import PipFrames
internal import PipSources

/// The font, size, colours and alignment of a text.
///
/// Pass a style to a ``TextSource`` or a ``ClockSource``.
public struct TextStyle: Sendable, Hashable {
    /// An outline around the letters, which keeps them readable on any picture.
    public struct Outline: Sendable, Hashable {
        /// The outline's width in pixels, 0 to 64.
        public var width: Double
        /// The outline's colour, which also sets its opacity.
        public var color: Color

        /// Creates an outline that is `width` pixels wide.
        public init(width: Double, color: Color = .black) {
            self.width = width
            self.color = color
        }
    }

    /// The horizontal alignment of lines, such as `right` for a text at the right edge of a picture.
    public enum Alignment: String, Sendable, CaseIterable {
        /// The side at which lines begin: right for scripts such as Hebrew and Arabic, left for scripts such as Latin.
        case start
        case left, center, right
    }

    /// The font of the letters; other installed fonts provide the characters that this font lacks.
    public var font: Font
    /// The height of the font's em square in pixels, 4 to 512.
    ///
    /// Capital letters have about 0.7 of this height.
    public var size: Int
    /// The letters' colour; emoji keep their own colours, but take the opacity of this colour.
    public var color: Color
    /// The outline around the letters; nil for none.
    public var outline: Outline?
    /// The background's colour; nil for none.
    public var background: Color?
    /// The margin of the background around the letters, in pixels.
    ///
    /// Nil means a quarter of ``size`` if the style has a ``background``, and 0 otherwise. The range is 0 to 64.
    public var padding: Int?
    /// The horizontal alignment of lines within the picture.
    public var alignment: Alignment

    /// Creates a style; omitted properties take their defaults.
    public init(
        font: Font = .default, size: Int = 32, color: Color = .white, outline: Outline? = nil,
        background: Color? = nil, padding: Int? = nil, alignment: Alignment = .start
    ) {
        self.font = font
        self.size = size
        self.color = color
        self.outline = outline
        self.background = background
        self.padding = padding
        self.alignment = alignment
    }

    /// The allowed values of ``size``, in pixels.
    public static let sizes = 4...512
    /// The largest outline width and padding, in pixels.
    static let widest = 64

    /// The number of pixels between the letters and the picture's edges.
    var margin: Int {
        let outline = outline.map { Int($0.width.rounded(.up)) } ?? 0
        return outline + (padding ?? (background == nil ? 0 : size / 4))
    }

    /// Checks the size, the outline width and the padding.
    ///
    /// - Parameter label: The name of the text in messages.
    /// - Throws: ``SourceError`` when a number is out of range.
    func check(_ label: String) throws(SourceError) {
        guard Self.sizes.contains(size) else {
            throw SourceError(
                label, "be drawn", .invalidOptions,
                "its size is \(size) pixels, but must be \(Self.sizes.lowerBound) to \(Self.sizes.upperBound)")
        }
        let outline = outline?.width ?? 0
        guard outline >= 0, outline <= Double(Self.widest), (0...Self.widest).contains(padding ?? 0) else {
            throw SourceError(
                label, "be drawn", .invalidOptions,
                "its outline is \(outline) and its padding \(padding ?? 0) pixels, but both must be 0 to \(Self.widest)"
            )
        }
    }
}
