/// A named piece of GLSL.
///
/// A shader consists of several pieces. The compiler's messages name the piece and the line within it.
package struct ShaderChunk: Hashable, Sendable {
    /// The piece's name in messages: a file name such as `Sepia.frag`, or a note such as `generated main`.
    package let name: String
    /// GLSL text without a `#version` line; its first line counts as line 1.
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

extension [ShaderChunk] {
    /// The range of line numbers of each piece: piece `n` counts from `n` times this number.
    fileprivate static let lineStep = 10_000

    /// The text of one shader: the version, then every piece with a `#line` of its own.
    ///
    /// The line number contains the piece, because Mesa drops the number of the source string from most of its
    /// messages. `#extension` lines must be in the first piece, before any text but directives.
    package var shaderText: String {
        var text = "#version 310 es\n"
        for (index, chunk) in enumerated() {
            text += "#line \(index * Self.lineStep + 1)\n"
            text += chunk.text
            if !chunk.text.hasSuffix("\n") { text += "\n" }
        }
        return text
    }
}

/// One line of a compiler's or linker's log, which leads to the mistake in an effect's own GLSL.
public struct ShaderMessage: Hashable, Sendable, CustomStringConvertible {
    /// The name of the piece of GLSL that the line refers to; nil when the driver gave no position.
    public let file: String?
    /// Line within that piece, from 1.
    public let line: Int?
    /// Column within that line, from 1; nil when the driver gave none.
    public let column: Int?
    /// The driver's text, such as `error: 'color' undeclared`.
    public let text: String

    /// The line in the form of compilers: ``Gamma.frag:12:5: error: `colour' undeclared``.
    public var description: String {
        guard let file, let line else { return text }
        return if let column { "\(file):\(line):\(column): \(text)" } else { "\(file):\(line): \(text)" }
    }
}

/// Reads drivers' logs.
enum ShaderLog {
    /// The lines of a log, each with the piece and the line that its numbers stand for.
    ///
    /// Understands Mesa's `0:12(5): error: …`, NVIDIA's `0(12) : error C1008: …`, and `ERROR: 0:12: …` of ANGLE and
    /// most mobile drivers.
    static func parse(_ log: String, chunks: [ShaderChunk]) -> [ShaderMessage] {
        log.split(whereSeparator: \.isNewline).map { line in
            guard let place = Place(line), chunks.indices.contains(place.line / [ShaderChunk].lineStep) else {
                return ShaderMessage(file: nil, line: nil, column: nil, text: String(line))
            }
            let (chunk, line) = place.line.quotientAndRemainder(dividingBy: [ShaderChunk].lineStep)
            return ShaderMessage(
                file: chunks[chunk].name, line: line, column: place.column, text: place.prefix + place.rest)
        }
    }

    /// The numbers at the start of a line of a log.
    private struct Place {
        /// The driver's line number, which contains the piece.
        let line: Int
        var column: Int?
        var prefix = ""
        let rest: String

        init?(_ text: Substring) {
            var text = text
            for severity in ["ERROR: ", "WARNING: "] where text.hasPrefix(severity) {
                text.removeFirst(severity.count)
                prefix = severity == "ERROR: " ? "error: " : "warning: "
            }
            guard text.takeNumber() != nil else { return nil }
            if text.take("("), let line = text.takeNumber(), text.take(")") {
                self.line = line
            } else if text.take(":"), let line = text.takeNumber() {
                self.line = line
                if text.take("(") {
                    column = text.takeNumber()
                    guard text.take(")") else { return nil }
                }
            } else {
                return nil
            }
            while text.take(" ") || text.take(":") {}
            rest = String(text)
        }
    }
}

extension Substring {
    /// Removes a decimal number from the front.
    fileprivate mutating func takeNumber() -> Int? {
        let digits = prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        removeFirst(digits.count)
        return number
    }

    /// Removes a character from the front, if the text begins with it.
    fileprivate mutating func take(_ character: Character) -> Bool {
        guard first == character else { return false }
        removeFirst()
        return true
    }
}
