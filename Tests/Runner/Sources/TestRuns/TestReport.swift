/// An xUnit report as Swift Testing writes it.
public struct TestReport: Equatable, Sendable {
    /// One for each test, in the order of the report.
    public let results: [TestResult]

    /// Reads a report.
    ///
    /// It is nil where the document is cut short, as that of a process that died while writing.
    ///
    /// - Parameter text: The XML document.
    public init?(xUnit text: String) {
        var results: [TestResult] = []
        var current: (test: TestIdentifier, outcome: TestResult.Outcome)?
        var isWhole = false
        for (tag, content) in XMLTags(text) {
            switch tag.name {
            case "testcase":
                current = (
                    TestIdentifier(className: tag["classname"] ?? "", name: tag["name"] ?? ""), .passed
                )
            case "failure":
                let message = tag["message"] ?? content
                if case .failed(let messages) = current?.outcome {
                    current?.outcome = .failed(messages + [message])
                } else {
                    current?.outcome = .failed([message])
                }
            case "skipped": current?.outcome = .skipped(tag["message"] ?? content)
            case "/testsuites": isWhole = true
            default: break
            }
            if let ended = current, tag.name == "/testcase" || (tag.name == "testcase" && tag.isEmpty) {
                results.append(TestResult(ended.test, ended.outcome))
                current = nil
            }
        }
        guard isWhole else { return nil }
        self.results = results
    }
}

/// The tags of an XML document, each with the text that follows it up to the next tag.
struct XMLTags: Sequence, IteratorProtocol {
    struct Tag {
        /// With a leading slash for the end of an element.
        let name: String
        /// True when it is an element without content.
        let isEmpty: Bool
        private let attributes: [String: String]

        init(_ text: Substring) {
            isEmpty = text.hasSuffix("/")
            let text = isEmpty ? text.dropLast() : text
            let end = text.firstIndex(where: \.isWhitespace) ?? text.endIndex
            name = String(text[..<end])
            var attributes: [String: String] = [:]
            // Odd parts are quoted: `key="value" key="value"`.
            let parts = text[end...].split(separator: "\"", omittingEmptySubsequences: false)
            for index in stride(from: 0, to: parts.count - 1, by: 2) {
                let key = parts[index].filter { !$0.isWhitespace && $0 != "=" }
                attributes[String(key)] = XMLTags.unescaped(parts[index + 1])
            }
            self.attributes = attributes
        }

        subscript(attribute: String) -> String? { attributes[attribute] }
    }

    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func next() -> (tag: Tag, content: String)? {
        guard let start = rest.firstIndex(of: "<") else { return nil }
        var isQuoted = false
        let body = rest[rest.index(after: start)...]
        let end = body.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == ">" && !isQuoted
        }
        guard let end else { return nil }
        let after = body[body.index(after: end)...]
        let content = after[..<(after.firstIndex(of: "<") ?? after.endIndex)]
        rest = after
        return (Tag(body[..<end]), Self.unescaped(content))
    }

    /// A text with its entities replaced by what they stand for.
    static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&"), let end = rest[start...].firstIndex(of: ";") {
            result += rest[..<start]
            let entity = rest[rest.index(after: start)..<end]
            result += character(entity) ?? "&\(entity);"
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func character(_ entity: Substring) -> String? {
        switch entity {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard entity.hasPrefix("#") else { return nil }
            let digits = entity.dropFirst()
            let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
    }
}
