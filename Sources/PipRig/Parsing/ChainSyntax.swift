/// A chain of effects as text, in the syntax of FFmpeg's filters: `vignette=0.4,gaussian-blur=radius=4`.
///
/// Commas separate effects. After a name come `=` and values, which colons separate; a value may begin with its
/// parameter's name and `=`. Spaces around names and values are dropped. A backslash quotes the next character, and
/// single quotes quote everything between them; within quotes a backslash is an ordinary character.
///
/// Source: FFmpeg filters documentation, "Filtergraph syntax", and FFmpeg utilities documentation, "Quoting and
/// escaping".
package struct ChainSyntax: Equatable {
    /// An effect's name with its values.
    package struct Item: Equatable {
        package var name: String
        package var values: [Value] = []

        package init(name: String, values: [Value] = []) {
            self.name = name
            self.values = values
        }
    }

    /// A value of an effect; `key` is the parameter's name, and nil for a positional value.
    package struct Value: Equatable {
        package var key: String?
        package var text: String

        package init(key: String?, text: String) {
            self.key = key
            self.text = text
        }
    }

    package let items: [Item]

    /// Quotes a value that is empty or contains special characters of the syntax.
    package static func quoted(_ value: String) -> String {
        guard value.isEmpty || value.contains(where: { ",:='\\".contains($0) }) else { return value }
        return "'\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }

    package init(_ text: String) throws(UsageError) {
        var reader = Reader(text)
        var items: [Item] = []
        repeat {
            let name = try reader.token(until: ",=:")
            guard !name.isEmpty else { throw UsageError("the name of an effect is missing").about(text) }
            var item = Item(name: name)
            if reader.last == ":" {
                throw UsageError("\(text): values follow a name after =, as in \(name)=value:key=value")
            }
            if reader.last == "=" {
                repeat { item.values.append(try Self.value(&reader, text)) } while reader.last == ":"
            }
            items.append(item)
        } while reader.last == ","
        self.items = items
    }

    private static func value(_ reader: inout Reader, _ text: String) throws(UsageError) -> Value {
        let first = try reader.token(until: ",:=")
        guard reader.last == "=" else {
            guard !first.isEmpty else { throw UsageError("\(text): a value is missing after = or :") }
            return Value(key: nil, text: first)
        }
        let second = try reader.token(until: ",:")
        guard !first.isEmpty, !second.isEmpty else {
            throw UsageError("\(text): parameters are written name=value")
        }
        return Value(key: first, text: second)
    }

    /// Reads a text token by token.
    private struct Reader {
        private var rest: Substring
        private let whole: String
        /// The separator that ended the last token; nil at the end of the text.
        private(set) var last: Character?

        init(_ text: String) {
            whole = text
            rest = Substring(text)
        }

        mutating func token(until separators: String) throws(UsageError) -> String {
            var token = ""
            /// The length of the token up to its last quoted character. Only spaces after this length are trimmed.
            var kept = 0
            last = nil
            while let character = rest.popFirst() {
                if separators.contains(character) {
                    last = character
                    break
                }
                switch character {
                case "\\":
                    guard let next = rest.popFirst() else {
                        throw UsageError("\(whole): nothing follows the last \\; write \\\\ for a backslash")
                    }
                    token.append(next)
                    kept = token.count
                case "'":
                    guard let end = rest.firstIndex(of: "'") else {
                        throw UsageError("\(whole): a quote ' is opened but not closed")
                    }
                    token += rest[..<end]
                    kept = token.count
                    rest = rest[rest.index(after: end)...]
                case " ", "\t": if !token.isEmpty { token.append(character) }
                default: token.append(character)
                }
            }
            while token.count > kept, let end = token.last, end == " " || end == "\t" { token.removeLast() }
            return token
        }
    }
}
