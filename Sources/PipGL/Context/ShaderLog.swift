/// A named piece of GLSL.
///
/// A shader is made of several; the compiler's messages name the piece and its own line.
package struct ShaderChunk: Hashable, Sendable {
    /// Its name in messages: a file name such as `Sepia.frag`, or a note such as `generated main`.
    package let name: String
    /// GLSL text without a `#version` line; its first line counts as line 1.
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

extension [ShaderChunk] {
    /// Lines that each piece has for itself: piece `n` counts from `n` times this.
    fileprivate static let lineStep = 10_000

    /// The text of one shader: the version, then every piece under a `#line` of its own.
    ///
    /// The piece goes into the line number, since Mesa drops the number of the source string from most of its messages.
    /// `#extension` lines must be in the first piece, before anything that is not a directive.
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

/// One line of a compiler's or linker's log.
public struct ShaderMessage: Hashable, Sendable, CustomStringConvertible {
    /// Name of the piece of GLSL that it is about; nil when the driver gave no place.
    public let file: String?
    /// Line within that piece, from 1.
    public let line: Int?
    /// Column within that line, from 1; nil when the driver gave none.
    public let column: Int?
    /// The driver's text, such as `error: 'color' undeclared`.
    public let text: String

    /// As compilers write it: ``Gamma.frag:12:5: error: `colour' undeclared``.
    public var description: String {
        guard let file, let line else { return text }
        return if let column { "\(file):\(line):\(column): \(text)" } else { "\(file):\(line): \(text)" }
    }
}

/// Reads drivers' logs.
enum ShaderLog {
    /// The lines of a log, each with the piece and line that its numbers mean.
    ///
    /// Understood are Mesa's `0:12(5): error: …`, NVIDIA's `0(12) : error C1008: …`, and `ERROR: 0:12: …` as of ANGLE
    /// and most mobile drivers.
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
        /// As the driver counts: the piece is in it.
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

    /// Removes a character from the front, if it is there.
    fileprivate mutating func take(_ character: Character) -> Bool {
        guard first == character else { return false }
        removeFirst()
        return true
    }
}
