internal import PipCompose
internal import PipFrames
internal import PipSources
internal import Synchronization

/// A picture of a text.
///
/// The thread that opens the picture or changes the text draws the letters.
final class TextPicture: LivePicture {
    let label: String
    private let style: TextStyle
    private let reserved: String
    /// The text and its typesetter, locked while letters are drawn.
    ///
    /// The render thread never takes this lock.
    private let drawing: Mutex<Drawing>
    private let shown = Mutex<Frame?>(nil)

    private struct Drawing: ~Copyable {
        var text: String
        /// The typesetter; nil until a session opens the picture.
        var typesetter: Typesetter?
    }

    /// Creates the picture of a text, which is drawn when a session opens it.
    ///
    /// - Parameters:
    ///   - text: The first text.
    ///   - style: The font, size and colours.
    ///   - reserved: A text for which the picture always has room.
    ///   - name: The text by which messages name the picture; nil for the first text.
    init(_ text: String, _ style: TextStyle, reserved: String, name: String? = nil) {
        label = "text \"\((name ?? text).abbreviated)\""
        self.style = style
        self.reserved = reserved
        drawing = Mutex(Drawing(text: text))
    }

    var text: String { drawing.withLock { $0.text } }

    /// Draws another text, or stores the text until a session opens the picture.
    ///
    /// - Throws: ``SourceError`` when the text is too long or its picture too large. Then the former text stays.
    func set(_ text: String) throws(SourceError) {
        try drawing.withLock { drawing throws(SourceError) in
            try Typesetter.check(text, label)
            if drawing.text == text { return }
            if let typesetter = drawing.typesetter { try draw(text, typesetter) }
            drawing.text = text
        }
    }

    /// Opens the font and draws the first picture.
    func open(_ reports: LivePictureSpecification.Reports) throws(SourceError) {
        try drawing.withLock { drawing throws(SourceError) in
            let typesetter = try Typesetter(style, label: label, warn: reports.warn)
            try draw(drawing.text, typesetter)
            drawing.typesetter = typesetter
        }
    }

    private func draw(_ text: String, _ typesetter: Typesetter) throws(SourceError) {
        let layout = try typesetter.layout(text)
        let least = reserved.isEmpty ? PixelSize(1, 1) : try typesetter.layout(reserved).size
        let needed = PixelSize(max(layout.size.width, least.width), max(layout.size.height, least.height))
        let last = shown.withLock { $0?.size }
        let picture = try typesetter.picture(layout, size: size(for: needed, after: last))
        shown.withLock { $0 = picture }
    }

    /// The size of the next picture.
    ///
    /// A former size of the same height and once to twice the needed width is kept, because another size needs a new
    /// plan. The picture is then transparent beside the text. A picture with a background always gets the needed size.
    private func size(for needed: PixelSize, after last: PixelSize?) -> PixelSize {
        guard let last, style.background == nil, last.height == needed.height,
            (needed.width...2 * needed.width).contains(last.width)
        else { return needed }
        return last
    }

    // MARK: LivePicture

    var description: SourceDescription {
        let size = shown.withLock { $0?.size } ?? PixelSize(1, 1)
        return SourceDescription(
            name: label, layout: FrameLayout(.rgba, size), colorimetry: .srgb, rate: FrameRate(30), length: .endless,
            isStill: true)
    }

    func start() {}
    func stop() {}

    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame {
        LiveFrame(shown.withLock { $0 })
    }
}

extension String {
    /// The beginning of the text on one line, at most 24 characters, for messages.
    var abbreviated: String {
        let line = split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 24 ? line.prefix(23) + "…" : line
    }
}
