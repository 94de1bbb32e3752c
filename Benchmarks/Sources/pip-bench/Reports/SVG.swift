import Foundation

/// An SVG picture made of rectangles, lines, circles and text.
struct SVG {
    var width: Double
    var height: Double
    private var elements: [String] = []

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    enum Anchor: String {
        case start
        case middle
        case end
    }

    mutating func rectangle(x: Double, y: Double, width: Double, height: Double, fill: String) {
        elements.append(
            "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" "
                + "height=\"\(Self.number(height))\" fill=\"\(fill)\"/>")
    }

    mutating func line(
        _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), stroke: String, dashes: Bool = false
    ) {
        elements.append(
            "<line x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\" x2=\"\(Self.number(to.x))\" "
                + "y2=\"\(Self.number(to.y))\" stroke=\"\(stroke)\"\(dashes ? " stroke-dasharray=\"4 3\"" : "")/>")
    }

    mutating func circle(x: Double, y: Double, radius: Double, fill: String) {
        elements.append(
            "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\" fill=\"\(fill)\"/>")
    }

    mutating func text(
        _ text: String, x: Double, y: Double, anchor: Anchor = .start, isBold: Bool = false, fill: String = "#1f2430"
    ) {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        elements.append(
            "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor.rawValue)\" fill=\"\(fill)\""
                + "\(isBold ? " font-weight=\"600\"" : "")>\(escaped)</text>")
    }

    /// The text of the SVG file.
    var document: String {
        let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\" "
            + "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
            + (["<rect \(size) fill=\"#ffffff\"/>"] + elements).joined(separator: "\n") + "\n</svg>\n"
    }

    /// Formats a coordinate with at most one decimal.
    private static func number(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
