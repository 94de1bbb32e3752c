public import PipFrames
internal import PipSources

/// Font, size, colours and alignment of a text.
///
/// Give it to a ``TextSource`` or a ``ClockSource``.
public struct TextStyle: Sendable, Hashable {
    /// A line around the letters, which makes them readable on any picture.
    public struct Outline: Sendable, Hashable {
        /// The width in pixels.
        public var width: Double
        /// The line's colour.
        public var color: Color

        /// A line around the letters, `width` pixels wide.
        public init(width: Double, color: Color = .black) {
            self.width = width
            self.color = color
        }
    }

    /// The side at which lines begin or end, as for a speed at the right edge of a picture.
    public enum Alignment: String, Sendable, CaseIterable {
        /// The side at which reading a line begins: right for Hebrew and Arabic, left for other scripts.
        case start
        case left, center, right
    }

    /// The font.
    public var font: Font
    /// The height of the font's em square in pixels, 4 to 512: a capital letter has about 0.7 of it.
    public var size: Int
    /// The letters' colour.
    public var color: Color
    /// The line around the letters; nil for none.
    public var outline: Outline?
    /// The background's colour; nil for none.
    public var background: Color?
    /// The margin of the background around the letters, in pixels; nil takes a quarter of the size.
    public var padding: Int?
    /// The alignment of lines within the picture.
    public var alignment: Alignment

    /// A style from its parts.
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

    /// The possible sizes, in pixels.
    public static let sizes = 4...512
    /// The widest outline and padding, in pixels.
    static let widest = 64

    /// Pixels between the letters and the picture's edges.
    var margin: Int {
        let outline = outline.map { Int($0.width.rounded(.up)) } ?? 0
        return outline + (padding ?? (background == nil ? 0 : size / 4))
    }

    /// - Throws: ``SourceError`` when a number is out of range. `label`: The name of the text.
    func check(_ label: String) throws(SourceError) {
        guard Self.sizes.contains(size) else {
            throw SourceError(
                label, "be drawn", .invalidOptions,
                "its size is \(size) pixels, but must be \(Self.sizes.lowerBound) to \(Self.sizes.upperBound)")
        }
        let outline = outline?.width ?? 0
        guard outline >= 0, outline <= Double(Self.widest), (0...Self.widest).contains(padding ?? 0) else {
            throw SourceError(
                label, "be drawn", .invalidOptions, "its outline and padding must be 0 to \(Self.widest) pixels")
        }
    }
}
