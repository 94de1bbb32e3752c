/// A named piece of GLSL text.
///
/// A shader consists of several pieces. Compiler messages give the name of a piece and a line within the piece.
package struct ShaderChunk: Hashable, Sendable {
    /// The piece's name in messages: a file name such as `Sepia.frag`, or a description such as `generated main`.
    package let name: String
    /// The GLSL text, without a `#version` line; the first line counts as line 1.
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

extension [ShaderChunk] {
    /// The number of line numbers reserved for each piece: piece `n`, counted from 0, begins at line `n · lineStep +
    /// 1`.
    fileprivate static let lineStep = 10_000

    /// The text of the shader: the version, then every piece after a `#line` directive.
    ///
    /// The line number encodes the piece, because Mesa drops the number of the source string from most of its messages.
    /// `#extension` lines must be in the first piece, before any text but directives.
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

/// A line of a compiler's or linker's log, with the position in the GLSL that the line refers to.
public struct ShaderMessage: Hashable, Sendable, CustomStringConvertible {
    /// The name of the piece of GLSL that the message refers to; nil when the position is unknown.
    public let file: String?
    /// The line within the piece, from 1; nil when the position is unknown.
    public let line: Int?
    /// The column within the line, from 1; nil when the column is unknown.
    public let column: Int?
    /// The message, such as `error: 'color' undeclared`.
    public let text: String

    /// The message in the usual form of compilers: ``Gamma.frag:12:5: error: `colour' undeclared``.
    public var description: String {
        guard let file, let line else { return text }
        return if let column { "\(file):\(line):\(column): \(text)" } else { "\(file):\(line): \(text)" }
    }
}

/// A parser of the logs of drivers' compilers and linkers.
enum ShaderLog {
    /// Parses a log into messages, each with the piece and the line within the piece if the log gives a position.
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

    /// The position at the beginning of a log line.
    private struct Place {
        /// The driver's line number, which encodes the piece.
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
    /// Removes a decimal number from the beginning, and returns it; nil when the text begins with another character.
    fileprivate mutating func takeNumber() -> Int? {
        let digits = prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        removeFirst(digits.count)
        return number
    }

    /// Removes a character from the beginning; returns false when the text begins with another character.
    fileprivate mutating func take(_ character: Character) -> Bool {
        guard first == character else { return false }
        removeFirst()
        return true
    }
}
