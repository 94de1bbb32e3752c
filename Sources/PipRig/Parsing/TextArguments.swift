package import PipCompose
package import PipText

/// The options of a text, clock, gauge or sticker overlay: its own, and those of its style and layout.
package struct TextArguments {
    /// The options that ``take(_:)`` and ``layout(others:)`` have not removed yet.
    private(set) var items: [LayoutItem]
    private let subject: String
    private var taken: [String: String] = [:]

    private static let keys = ["size", "font", "color", "outline", "background", "padding", "align"]

    package init(_ items: [String], of subject: String) {
        self.items = items.map { LayoutItem($0[...]) }
        self.subject = subject
    }

    /// Removes an option and returns its value; nil when the option is absent.
    package mutating func take(_ key: String) throws(UsageError) -> String? {
        let found = items.filter { $0.key == key }
        items.removeAll { $0.key == key }
        guard found.count <= 1 else { throw UsageError("the \(key) is given twice") }
        guard let first = found.first else { return nil }
        guard let value = first.value, !value.isEmpty else { throw UsageError("\(key) needs a value: \(key)=…") }
        return value
    }

    /// Removes the options of the style, and reads the remaining items as a layout.
    package mutating func layout(others: [String]) throws(UsageError) -> InsetLayout {
        for key in Self.keys { taken[key] = try take(key) }
        if let length = items.first(where: { $0.key == "width" || $0.key == "height" }) {
            throw UsageError("a \(subject) is as large as its letters: write size=32 instead of \(length.key)")
        }
        return try InsetLayout(items, of: subject, others: Self.keys + others)
    }

    /// Reads the style from the options that ``layout(others:)`` has removed.
    ///
    /// - Parameter placement: The text's place. Without the option `align`, the anchor decides to which side the lines
    ///   are aligned.
    /// - Returns: The style.
    /// - Throws: ``UsageError`` for a value that an option does not allow.
    package func style(at placement: Placement) throws(UsageError) -> TextStyle {
        var style = TextStyle(alignment: placement.alignment)
        if let size = taken["size"] { style.size = try number(size, in: TextStyle.sizes, named: "size") }
        if let font = taken["font"] { style.font = font.contains("/") ? .file(font) : .named(font) }
        if let color = taken["color"] { style.color = try Color(argument: color) }
        if let color = taken["background"] { style.background = try Color(argument: color) }
        if let padding = taken["padding"] { style.padding = try number(padding, in: 0...64, named: "padding") }
        if let outline = taken["outline"] {
            let parts = outline.split(separator: ":", maxSplits: 1).map(String.init)
            style.outline = TextStyle.Outline(
                width: try number(parts.first ?? "", in: 0.0...64.0, named: "outline"),
                color: try Color(argument: parts.count == 2 ? parts[1] : "black"))
        }
        if let name = taken["align"] { style.alignment = try choice(name, named: "align") }
        return style
    }
}

extension Placement {
    /// The alignment toward the side of the canvas at which the text is placed.
    ///
    /// At the left side, and at a place that is not an anchor, lines are aligned to the start of the reading direction.
    fileprivate var alignment: TextStyle.Alignment {
        switch position {
        case .anchor(.topRight), .anchor(.right), .anchor(.bottomRight): .right
        case .anchor(.top), .anchor(.center), .anchor(.bottom): .center
        default: .start
        }
    }
}

extension ClockZone {
    /// Reads a time zone as `local`, `utc` or an offset such as `+05:30`.
    package init(argument text: String) throws(UsageError) {
        switch text.lowercased() {
        case "local": self = .local
        case "utc": self = .utc
        default:
            let digits = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
            guard let sign = text.first, sign == "+" || sign == "-", digits.count == 2, let hours = digits[0],
                let minutes = digits[1], (0...14).contains(hours), (0...59).contains(minutes)
            else {
                throw UsageError(
                    "there is no zone \(text): write local, utc or a distance from UTC such as +05:30, or set TZ=Asia/Kolkata and write local"
                )
            }
            self = .offset(minutes: (hours * 60 + minutes) * (sign == "-" ? -1 : 1))
        }
    }
}
